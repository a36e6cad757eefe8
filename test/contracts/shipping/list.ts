import { beforeEach, expect, test } from "vitest";
import type { StandIn } from "./stand-in.ts";
import { ask, BOOK, isRefusal, made, tokenOf } from "./ask.ts";

/** docs/shipping-interface.md, 4.1 and 2.4. */

export function listContract(now: () => StandIn): void {
  let token: string;
  beforeEach(async () => {
    token = await tokenOf(now());
  });
  const list = (query = "") => ask(now(), `GET ${BOOK}${query}`, { token });
  const fill = async (count: number) => {
    const ids: string[] = [];
    for (let n = 0; n < count; n += 1) ids.push(await made(now(), token, `Bodega ${n}`));
    return ids;
  };

  test("an empty book is one empty page", async () => {
    expect(await list()).toMatchObject({
      status: 200,
      json: {
        data: [],
        meta: { total_count: 0, per_page: 20, current_page: 1, next_page: null, prev_page: null },
      },
    });
  });

  test("pages of twenty add up, each id once, and say where they stand", async () => {
    const ids = await fill(45);
    const pages = [await list(), await list("?page=2"), await list("?page=3&per_page=20")];
    expect(pages.map(({ json }) => json.data.length)).toEqual([20, 20, 5]);
    expect(pages.map(({ json }) => json.meta)).toEqual([
      { total_count: 45, per_page: 20, current_page: 1, total_pages: 3, next_page: 2, prev_page: null },
      { total_count: 45, per_page: 20, current_page: 2, total_pages: 3, next_page: 3, prev_page: 1 },
      { total_count: 45, per_page: 20, current_page: 3, total_pages: 3, next_page: null, prev_page: 2 },
    ]);
    const listed = pages.flatMap(({ json }) => json.data.map(({ id }: { id: string }) => id));
    expect(listed.toSorted()).toEqual(ids.toSorted());
  });

  test("a page may be smaller; one behind the last is empty", async () => {
    await fill(5);
    expect((await list("?page=2&per_page=2")).json).toMatchObject({
      data: [{}, {}],
      meta: { total_count: 5, per_page: 2, current_page: 2, total_pages: 3, next_page: 3, prev_page: 1 },
    });
    expect(await list("?page=9")).toMatchObject({ status: 200, json: { data: [] } });
  });

  test("never more than twenty come, whatever is asked for", async () => {
    await fill(21);
    const { status, json } = await list("?per_page=50");
    if (status === 200) expect(json).toMatchObject({ data: { length: 20 }, meta: { per_page: 20, total_pages: 2 } });
    else expect(isRefusal(status)).toBe(true);
  });

  test("a row of the list says what the template says by itself", async () => {
    const [id] = await fill(1);
    expect((await list()).json.data).toEqual([(await ask(now(), `GET ${BOOK}/${id}`, { token })).json.data]);
  });

  test("another account's templates are not in it", async () => {
    await fill(1);
    token = await tokenOf(now(), now().clients[1]);
    expect((await list()).json.meta.total_count).toBe(0);
  });
}
