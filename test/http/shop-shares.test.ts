import { beforeEach, expect, test } from "vitest";
import { createShopShares } from "../../app/http/shop-shares.ts";
import type { ShopShares } from "../../app/http/shop-shares.ts";

const SHOP = "one.myshopify.com";

/** One byte comes back each second; half a day's may be stored at once. */
const STORED_A_DAY = 86_400;

let nowMs: number;
let shares: ShopShares;
beforeEach(() => {
  nowMs = 1_000;
  // Twelve forms, and twenty-four readings, at once.
  shares = createShopShares(
    { monotonicMs: () => nowMs },
    { formsASecond: 1, pagesASecond: 2, storedADay: STORED_A_DAY },
  );
});

/** A request whose answer leaves at once: what it is refused for, or null. */
function send(method: string, path: string, shop = SHOP): string | null {
  const answer = new AbortController();
  const headers = { "Content-Length": "0" };
  const refused = shares.take(
    shop,
    new Request(`https://app.example${path}`, { method, headers, signal: answer.signal }),
  );
  answer.abort();
  return refused && refused.limit;
}

const takenOf = (count: number, ...asked: Parameters<typeof send>) =>
  Array.from({ length: count }, () => send(...asked)).filter((refused) => refused === null).length;

test("what pages read has a share, and whoever used it up reads again a moment later", () => {
  expect(takenOf(100, "GET", "/app/origins?_data=routes%2Fapp.origins._index")).toBe(24);
  expect(send("GET", "/app")).toBe("pages");
  expect(shares.take(SHOP, new Request("https://app.example/app"))).toEqual({ limit: "pages", waitS: 1 });
  nowMs += 1_000;
  expect(takenOf(10, "GET", "/app")).toBe(2);
});

test("a shop that reads without end can still save, and its orders are still shown", () => {
  takenOf(1_000, "GET", "/app");
  expect(takenOf(100, "POST", "/app/settings")).toBe(12);
  expect(takenOf(100, "GET", "/api/origins?locations=1")).toBe(24);
  expect(send("GET", "/api/origins")).toBe("orders");
});

test("what one shop reads takes nothing from another's", () => {
  takenOf(1_000, "GET", "/app");
  expect(send("GET", "/app", "two.myshopify.com")).toBeNull();
});

/** A form so long; what it is refused for, or null. */
function save(length: number | null, shop = SHOP) {
  const headers: Record<string, string> = length === null ? {} : { "Content-Length": String(length) };
  return shares.take(shop, new Request("https://app.example/app/settings", { method: "POST", headers }));
}

test("what forms store in a day has an end, and comes back with the time", () => {
  expect(save(20_000)).toBeNull();
  expect(save(20_000)).toBeNull();
  // A thousand each beside: 1,200 of 43,200 are left.
  expect(save(20_000)).toEqual({ limit: "stored", waitS: 19_800 });
  expect(save(200)).toBeNull();
  expect(save(0, "two.myshopify.com")).toBeNull();
  nowMs += 19_800_000;
  expect(save(18_799)).toBeNull();
});

test("a form that does not say its length counts as the longest", () => {
  expect(save(null)).toBeNull();
  expect(save(0)).toMatchObject({ limit: "stored" });
});

test("rows that a short form has stored count as well, and reading goes on", () => {
  expect(shares.store(SHOP, 40_000)).toBeNull();
  expect(shares.store(SHOP, 40_000)).toEqual({ limit: "stored", waitS: 36_800 });
  expect(save(3_000)).toMatchObject({ limit: "stored" });
  expect(send("GET", "/app")).toBeNull();
  expect(send("GET", "/api/origins")).toBeNull();
});
