import { describe, expect, test } from "vitest";
import { createFailingPages, readAllPages } from "../../../app/adapters/shipping/address-book.ts";
import { AppError } from "../../../app/domain/errors.ts";
import type { AddressTemplate } from "../../../app/domain/records.ts";

/** A page of the address book that always fails: the pages before it are not read again and again. */

const PER_PAGE = 20;
const IDS = Array.from({ length: 45 }, (_, index) => `t-${index + 1}`);

async function readPage(page: number) {
  const ids = IDS.slice((page - 1) * PER_PAGE, page * PER_PAGE);
  const templates = ids.map((id) => ({ id }) as AddressTemplate);
  return { templates, unreadable: [], page, requestId: "r", totalPages: 3, totalCount: IDS.length };
}

describe("a page that fails", () => {
  const failure = (kind: "server_error" | "cancelled") => new AppError({ kind, message: "page", effect: "none" });

  /** A book of three pages; gives which pages were asked for. */
  function staged() {
    const asked: number[] = [];
    const fails = { at: 0, as: failure("server_error") };
    const readNoted = async (page: number) => {
      asked.push(page);
      if (page === fails.at) throw fails.as;
      return readPage(page);
    };
    const failingOf = createFailingPages();
    const reading = (id = "book") => readAllPages(readNoted, { failing: failingOf(id) });
    const askedNow = () => asked.splice(0);
    return { fails, reading, askedNow };
  }

  test("is asked for first by the next readings, which cost one call each until it answers", async () => {
    const { fails, reading, askedNow } = staged();
    fails.at = 3;
    await expect(reading()).rejects.toMatchObject({ kind: "server_error", calls: 3 });
    expect(askedNow()).toEqual([1, 2, 3]);
    await expect(reading()).rejects.toMatchObject({ kind: "server_error", calls: 1 });
    await expect(reading()).rejects.toMatchObject({ kind: "server_error", calls: 1 });
    expect(askedNow()).toEqual([3, 3]);
    fails.at = 0;
    expect((await reading()).templates.map(({ id }) => id)).toEqual(IDS);
    expect(askedNow()).toEqual([3, 1, 2, 3]);
    await reading();
    expect(askedNow()).toEqual([1, 2, 3]);
  });

  test("is remembered of its own book alone", async () => {
    const { fails, reading, askedNow } = staged();
    fails.at = 3;
    await expect(reading()).rejects.toMatchObject({ kind: "server_error" });
    fails.at = 0;
    askedNow();
    await reading("another");
    expect(askedNow()).toEqual([1, 2, 3]);
  });

  test("is another one once an earlier page fails", async () => {
    const { fails, reading, askedNow } = staged();
    fails.at = 3;
    await expect(reading()).rejects.toMatchObject({ calls: 3 });
    fails.at = 2;
    await expect(reading()).rejects.toMatchObject({ calls: 3 });
    askedNow();
    await expect(reading()).rejects.toMatchObject({ calls: 1 });
    expect(askedNow()).toEqual([2]);
  });

  test("is no page at which the caller left", async () => {
    const { fails, reading, askedNow } = staged();
    fails.at = 3;
    fails.as = failure("cancelled");
    await expect(reading()).rejects.toMatchObject({ kind: "cancelled" });
    fails.at = 0;
    askedNow();
    await reading();
    expect(askedNow()).toEqual([1, 2, 3]);
  });
});
