import { describe, expect, test } from "vitest";
import {
  createFailingPages,
  MOST_BOOK_CHARACTERS,
  MOST_TEMPLATES,
  readAllPages,
} from "../../../app/adapters/shipping/address-book.ts";
import { isAppError } from "../../../app/domain/errors.ts";
import type { AddressTemplate, UnreadableRow } from "../../../app/domain/records.ts";
import type { TemplatePage } from "../../../app/ports.ts";

const PER_PAGE = 20;
const named = (id: string) => ({ id }) as AddressTemplate;
const many = (count: number) => Array.from({ length: count }, (_, index) => `t-${index + 1}`);

/** A book of ids that `meddle` may change after each page was read. */
function book(ids: string[], meddle: (ids: string[], pagesRead: number) => void = () => undefined) {
  let pagesRead = 0;
  const readPage = async (page: number): Promise<TemplatePage> => {
    const templates = ids.slice((page - 1) * PER_PAGE, page * PER_PAGE).map(named);
    const answer = {
      templates,
      unreadable: [],
      page,
      requestId: "r",
      totalPages: Math.ceil(ids.length / PER_PAGE),
      totalCount: ids.length,
    };
    meddle(ids, ++pagesRead);
    return answer;
  };
  return { readPage, pagesRead: () => pagesRead };
}

/** A book that no reading failed at before. */
const read = (readPage: Parameters<typeof readAllPages>[0], options: { once?: boolean } = {}) =>
  readAllPages(readPage, { ...options, failing: createFailingPages()("book") });

const idsOf = ({ templates }: { templates: AddressTemplate[] }) => templates.map(({ id }) => id);
const bad = (id: string | null): UnreadableRow => ({ id, name: null, what: "no_address", requestId: "r-1" });

describe("all pages of the address book (4.1)", () => {
  test.each([0, 1, 20, 21, 40, 45])("%i templates cost max(1, ⌈n ÷ 20⌉) calls", async (count) => {
    const { readPage, pagesRead } = book(many(count));
    expect(idsOf(await read(readPage))).toEqual(many(count));
    expect(pagesRead()).toBe(Math.max(1, Math.ceil(count / PER_PAGE)));
  });

  test("a template deleted between two pages makes it begin again: none is missed", async () => {
    const { readPage } = book(many(45), (ids, pagesRead) => pagesRead === 1 && ids.shift());
    const ids = idsOf(await read(readPage));
    expect(ids).toEqual(many(45).slice(1));
  });

  test("a template created in front while reading comes out once", async () => {
    const { readPage } = book(many(45), (ids, pagesRead) => pagesRead === 2 && ids.unshift("new"));
    const ids = idsOf(await read(readPage));
    expect(new Set(ids).size).toBe(ids.length);
    expect([...ids].sort()).toEqual([...many(45), "new"].sort());
  });

  test("one that takes another's place is noticed by what does not add up", async () => {
    const swap = (ids: string[], pagesRead: number) => {
      if (pagesRead === 1) ids.splice(0, ids.length, "new", ...many(45).slice(0, 44));
    };
    const { readPage } = book(many(45), swap);
    const ids = idsOf(await read(readPage));
    expect(ids).toHaveLength(45);
    expect(ids).toContain("new");
  });

  test("a book that never holds still is unreadable, not half read", async () => {
    const { readPage } = book(many(45), (ids) => ids.push(`more-${ids.length}`));
    const error: unknown = await read(readPage).catch((caught: unknown) => caught);
    expect(error).toMatchObject({ kind: "unreadable", operation: "list" });
  });

  test("a total that counts otherwise is believed once it lists the same twice", async () => {
    const readPage = async (page: number) => ({
      templates: [named("a")],
      unreadable: [],
      page,
      requestId: "r",
      totalPages: 1,
      totalCount: 7,
    });
    expect(idsOf(await read(readPage))).toEqual(["a"]);
  });

  test("a list that shows the same page under each number is unreadable, and costs two calls", async () => {
    let calls = 0;
    const readPage = async (page: number): Promise<TemplatePage> => {
      calls += 1;
      return {
        templates: many(PER_PAGE).map(named),
        unreadable: [],
        page,
        requestId: "r",
        totalPages: 1_000,
        totalCount: 20_000,
      };
    };
    const error = await read(readPage).catch((thrown: unknown) => thrown);
    expect(isAppError(error) && error.kind).toBe("unreadable");
    expect(calls).toBe(2);
  });

  test("pages of rows without ids are not taken for the same page", async () => {
    const readPage = async (page: number): Promise<TemplatePage> => ({
      templates: [],
      unreadable: Array.from({ length: PER_PAGE }, () => bad(null)),
      page,
      requestId: "r",
      totalPages: 2,
      totalCount: 40,
    });
    expect((await read(readPage)).unreadable).toHaveLength(40);
  });

  test("a page count that runs on ends at the first empty page", async () => {
    const { readPage, pagesRead } = book(many(20));
    const wrong = async (page: number) => ({ ...(await readPage(page)), totalPages: 1_000_000 });
    expect(idsOf(await read(wrong))).toEqual(many(20));
    expect(pagesRead()).toBe(2);
  });

  test.each([1, 2])(
    "a list whose page %d is empty though the counts tell of rows there is unreadable",
    async (empty) => {
      const { readPage, pagesRead } = book(many(45));
      const lost = async (page: number) => ({ ...(await readPage(page)), ...(page === empty && { templates: [] }) });
      await expect(read(lost)).rejects.toMatchObject({
        ...{ kind: "unreadable", operation: "list", effect: "none", calls: empty },
      });
      expect(pagesRead()).toBe(empty);
    },
  );

  test("a row that cannot be read counts as one and comes with the others", async () => {
    let pagesRead = 0;
    const pages = [
      { templates: many(19).map(named), unreadable: [bad("x")] },
      { templates: [], unreadable: [bad(null)] },
    ];
    const readPage = async (page: number): Promise<TemplatePage> => {
      pagesRead += 1;
      return { ...pages[page - 1]!, page, requestId: "r", totalPages: 2, totalCount: 21 };
    };
    const { templates, unreadable } = await read(readPage);
    expect(templates).toHaveLength(19);
    expect(unreadable).toEqual([bad("x"), bad(null)]);
    expect(pagesRead).toBe(2);
  });

  test("a row that was read on another page is no unreadable one", async () => {
    const pages = [
      { templates: [named("a")], unreadable: [bad("b")] },
      { templates: [named("b")], unreadable: [] },
    ];
    const readPage = async (page: number): Promise<TemplatePage> => {
      return { ...pages[page - 1]!, page, requestId: "r", totalPages: 2, totalCount: 2 };
    };
    expect(await read(readPage)).toEqual({ templates: [named("a"), named("b")], unreadable: [] });
  });

  test("for a caller that comes again by itself a book that changes is read once, and the failure says what it cost", async () => {
    const { readPage, pagesRead } = book(many(45), (ids, read) => read === 2 && ids.shift());
    await expect(read(readPage, { once: true })).rejects.toMatchObject({
      ...{ kind: "unreadable", operation: "list", calls: 3 },
    });
    expect(pagesRead()).toBe(3);
  });

  test("for such a caller a service whose count differs from its list is asked a second time", async () => {
    const { readPage } = book(many(45));
    const miscounted = async (page: number) => ({ ...(await readPage(page)), totalCount: 46 });
    expect(idsOf(await read(miscounted, { once: true }))).toEqual(many(45));
  });

  test("what is counted and not shown is one row that cannot be read, where a row comes twice in its place, too", async () => {
    const { readPage } = book(["a", "b", "b"]);
    const notShown = { id: null, name: null, what: "not_shown", requestId: "r" };
    const { templates, unreadable } = await read(readPage);
    expect(templates.map(({ id }) => id)).toEqual(["a", "b"]);
    expect(unreadable).toEqual([notShown]);
    const miscounted = async (page: number) => ({ ...(await book(many(2)).readPage(page)), totalCount: 1_000 });
    expect((await read(miscounted)).unreadable).toHaveLength(200);
    const tooFew = async (page: number) => ({ ...(await book(many(2)).readPage(page)), totalCount: 1 });
    expect((await read(tooFew)).unreadable).toEqual([]);
  });
});

describe("a book that is too long", () => {
  /** Endless pages of twenty rows, whose page count says that there is always one more. */
  function endless({ total, alias = "" }: { total: number; alias?: string }) {
    let calls = 0;
    const readPage = (page: number): Promise<TemplatePage> => {
      calls += 1;
      const first = (page - 1) * PER_PAGE;
      const templates = Array.from({ length: PER_PAGE }, (_, index) => ({
        ...named(`t-${first + index}`),
        alias_name: alias,
      }));
      return Promise.resolve({
        templates,
        unreadable: [],
        page,
        requestId: "r",
        totalPages: 1_000_000,
        totalCount: total,
      });
    };
    return { readPage, calls: () => calls };
  }

  const tooLong = (calls: number) =>
    expect.objectContaining({ kind: "book_too_long", effect: "none", calls }) as unknown;

  test("says so on its first page: one call", async () => {
    const { readPage, calls } = endless({ total: MOST_TEMPLATES + 1 });
    await expect(read(readPage)).rejects.toEqual(tooLong(1));
    expect(calls()).toBe(1);
  });

  test("and one whose count lies is read no further than the most", async () => {
    const { readPage, calls } = endless({ total: 1 });
    const most = MOST_TEMPLATES / PER_PAGE + 1;
    await expect(read(readPage)).rejects.toEqual(tooLong(most));
    expect(calls()).toBe(most);
  });

  test("few rows that are huge are too long as well", async () => {
    const alias = "x".repeat(1_000_000 / PER_PAGE);
    const { readPage, calls } = endless({ total: 5_000, alias });
    await expect(read(readPage)).rejects.toMatchObject({ kind: "book_too_long" });
    expect(calls()).toBeLessThanOrEqual(Math.ceil(MOST_BOOK_CHARACTERS / 1_000_000));
  });

  test("as many as may be are read", async () => {
    const { readPage } = book(many(MOST_TEMPLATES));
    expect((await read(readPage)).templates).toHaveLength(MOST_TEMPLATES);
  });
});
