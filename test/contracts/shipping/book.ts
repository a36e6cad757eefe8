import { beforeEach, expect, test } from "vitest";
import type { StandIn } from "./stand-in.ts";
import { ADDRESS, ask, BOOK, draft, isRefusal, made, tokenOf } from "./ask.ts";

/** docs/shipping-interface.md, 4.2 to 4.5. */

const NEVER_NULL = ["name", "street1", "postal_code", "area_level1", "area_level2", "country_code", "phone", "email"];
const REQUIRED = [...NEVER_NULL, "area_level3", "reference"];
const MAY_BE_NULL = ["company", "apartment_number", "rfc", "tax_id_number", "tax_id_type"];

export function bookContract(now: () => StandIn): void {
  let token: string;
  beforeEach(async () => {
    token = await tokenOf(now());
  });
  const get = (id: string) => ask(now(), `GET ${BOOK}/${id}`, { token });
  const create = (body: object) => ask(now(), `POST ${BOOK}`, { token, body });
  const update = (id: string, body: object) => ask(now(), `PATCH ${BOOK}/${id}`, { token, body });
  const count = async () => (await ask(now(), `GET ${BOOK}`, { token })).json.meta.total_count;

  test("a create answers 201 with the template, every field of it there", async () => {
    const { status, json } = await create(draft("Bodega Ñandú"));
    expect(status).toBe(201);
    expect(json.data).toMatchObject({
      id: expect.any(String),
      alias_name: "Bodega Ñandú",
      address_type: "from",
      address: { ...ADDRESS, ...Object.fromEntries(MAY_BE_NULL.map((field) => [field, null])) },
      verified_carriers: [],
    });
    expect([true, false, null]).toContain(json.data.default);
    expect((await get(json.data.id)).json).toEqual(json);
  });

  test("two equal creates make two templates", async () => {
    await create(draft("Bodega"));
    await create(draft("Bodega"));
    expect(await count()).toBe(2);
  });

  test.each(REQUIRED)("a create of a Mexican address without %s is refused, and makes nothing", async (field) => {
    for (const value of [undefined, null, ""]) {
      const { status } = await create(draft("Bodega", { ...ADDRESS, [field]: value }));
      expect(isRefusal(status)).toBe(true);
    }
    expect(await count()).toBe(0);
  });

  test.each(["alias_name", "address_type", "address_attributes"])("so is one without %s", async (field) => {
    const { address_template: whole } = draft("Bodega") as { address_template: Record<string, unknown> };
    const { status } = await create({ address_template: { ...whole, [field]: undefined } });
    expect(isRefusal(status)).toBe(true);
    expect(await count()).toBe(0);
  });

  test("an update changes what it names, and answers 200 with the whole", async () => {
    const id = await made(now(), token);
    const before = (await get(id)).json.data;
    const named = await update(id, { id, address_template: { alias_name: "Otra" } });
    expect(named).toMatchObject({ status: 200, json: { data: { ...before, alias_name: "Otra" } } });
    const moved = await update(id, {
      address_template: { address_attributes: { phone: "3336150000", company: "Uno" } },
    });
    const address = { ...before.address, phone: "3336150000", company: "Uno" };
    expect(moved).toMatchObject({ status: 200, json: { data: { ...before, alias_name: "Otra", address } } });
    expect((await get(id)).json).toEqual(moved.json);
  });

  test("an update empties what it says is null, unless an answer may not have it so", async () => {
    const id = await made(now(), token);
    await update(id, { address_template: { address_attributes: { company: "Uno" } } });
    const emptied = await update(id, { address_template: { address_attributes: { company: null } } });
    expect(emptied).toMatchObject({ status: 200, json: { data: { address: { company: null } } } });
    for (const field of NEVER_NULL) {
      const { status } = await update(id, { address_template: { address_attributes: { [field]: null } } });
      expect(isRefusal(status)).toBe(true);
    }
    expect((await get(id)).json).toEqual(emptied.json);
  });

  test("a template that is not there is 404 to whoever reads, changes or deletes it", async () => {
    const gone = "00000000-0000-4000-8000-000000000000";
    const body = { address_template: { alias_name: "Otra" } };
    expect((await get(gone)).status).toBe(404);
    expect((await update(gone, body)).status).toBe(404);
    expect((await ask(now(), `DELETE ${BOOK}/${gone}`, { token })).status).toBe(404);
  });

  test("another account's template is not there", async () => {
    const id = await made(now(), token);
    const theirs = await tokenOf(now(), now().clients[1]);
    for (const method of ["GET", "DELETE"])
      expect((await ask(now(), `${method} ${BOOK}/${id}`, { token: theirs })).status).toBe(404);
    expect((await get(id)).status).toBe(200);
  });

  test("a delete is for good", async () => {
    const id = await made(now(), token);
    expect((await ask(now(), `DELETE ${BOOK}/${id}`, { token })).status).toBe(200);
    expect((await get(id)).status).toBe(404);
    expect((await ask(now(), `DELETE ${BOOK}/${id}`, { token })).status).toBe(404);
    expect(await count()).toBe(0);
  });

  test("an answer carries its request's id, and the service's date", async () => {
    const { headers } = await ask(now(), `GET ${BOOK}`, { token, requestId: "request-of-ours" });
    expect(headers["x-request-id"]).toBe("request-of-ours");
    expect(Date.parse(headers["date"]!)).toBeGreaterThan(0);
  });
}
