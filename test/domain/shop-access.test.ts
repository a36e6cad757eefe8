import { describe, expect, test } from "vitest";
import {
  afterAnswer,
  confirms,
  isShut,
  keptLongEnough,
  nextLookMs,
  OPEN,
  shutReason,
} from "../../app/domain/shop-access.ts";
import type { AccessColumns, ShopStanding } from "../../app/domain/shop-access.ts";
import { NOW_MS } from "../fakes/records.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

const INSTALLED: ShopStanding = { kind: "installed" };
const REFUSED: ShopStanding = { kind: "refused" };
const FROZEN: ShopStanding = { kind: "frozen" };
const NO_SESSION: ShopStanding = { kind: "unclear", why: "no_session", message: "" };
const UNAVAILABLE: ShopStanding = { kind: "unclear", why: "unavailable", message: "" };

const row = (over: Partial<AccessColumns> = {}): AccessColumns => ({ ...OPEN, ...over });

describe("why nothing is sent for a shop", () => {
  test.each([
    [row(), null],
    [row({ access: "refused" }), "shopify_refused"],
    [row({ access: "frozen" }), "shopify_frozen"],
    [row({ access: "no_session" }), "shopify_session"],
    [row({ uninstallToldAtMs: NOW_MS }), "uninstall_told"],
    [row({ uninstallToldAtMs: NOW_MS, access: "frozen" }), "uninstall_told"],
  ])("%j: %s", (shop, why) => {
    expect(shutReason(shop)).toBe(why);
    expect(isShut({ ...shop, uninstalledAtMs: null })).toBe(why !== null);
    expect(isShut({ ...shop, uninstalledAtMs: NOW_MS })).toBe(true);
  });
});

describe("an answer of Shopify's", () => {
  const told = row({ uninstallToldAtMs: NOW_MS - 1, access: "refused", accessSinceMs: 5, refusedAtMs: NOW_MS - 9 });

  test("that lets us in forgets all that was noted against it", () => {
    expect(afterAnswer(told, INSTALLED, NOW_MS)).toEqual(OPEN);
  });

  test("that proves nothing changes nothing", () => {
    expect(afterAnswer(told, UNAVAILABLE, NOW_MS)).toEqual(told);
    expect(afterAnswer(row(), UNAVAILABLE, NOW_MS)).toEqual(row());
  });

  test("that refuses is noted once, and what comes in between begins anew", () => {
    const first = afterAnswer(row(), REFUSED, NOW_MS);
    expect(first).toEqual(row({ access: "refused", accessSinceMs: NOW_MS, refusedAtMs: NOW_MS }));
    expect(afterAnswer(first, REFUSED, NOW_MS + 5)).toEqual(first);
    for (const between of [FROZEN, NO_SESSION]) {
      const other = afterAnswer(first, between, NOW_MS + 5);
      expect(other).toMatchObject({ refusedAtMs: null, accessSinceMs: NOW_MS });
      expect(afterAnswer(other, REFUSED, NOW_MS + 9).refusedAtMs).toBe(NOW_MS + 9);
    }
  });
});

test.each([
  ["the first refusal", null, REFUSED, false],
  ["another one 59 seconds later", NOW_MS - 59_000, REFUSED, false],
  ["another one a minute later", NOW_MS - MINUTE_MS, REFUSED, true],
  ["another one, the first dated by a clock that was ahead", NOW_MS + DAY_MS, REFUSED, false],
  ["a frozen shop a minute later", NOW_MS - MINUTE_MS, FROZEN, false],
  ["no session a minute later", NOW_MS - MINUTE_MS, NO_SESSION, false],
  ["no answer a minute later", NOW_MS - MINUTE_MS, UNAVAILABLE, false],
  ["a welcome a minute later", NOW_MS - MINUTE_MS, INSTALLED, false],
])("%s confirms: first at %s, then %j: %s", (_what, refusedAtMs, answer, confirmed) => {
  expect(confirms(row({ refusedAtMs }), answer, NOW_MS)).toBe(confirmed);
});

describe("30 days after an app/uninstalled", () => {
  const old = NOW_MS - 30 * DAY_MS;
  test.each([
    ["nobody told", row(), null, false],
    ["29 days", row({ uninstallToldAtMs: old + DAY_MS }), null, false],
    ["30 days, seen for the first time", row({ uninstallToldAtMs: old }), NOW_MS, false],
    ["seen an hour ago", row({ uninstallToldAtMs: old, forgetDueAtMs: NOW_MS - HOUR_MS }), NOW_MS - HOUR_MS, false],
    ["seen a day ago", row({ uninstallToldAtMs: old, forgetDueAtMs: NOW_MS - DAY_MS }), NOW_MS - DAY_MS, true],
    ["seen by a clock that was ahead", row({ uninstallToldAtMs: old, forgetDueAtMs: NOW_MS + 1 }), NOW_MS, false],
    [
      "seen by a clock that was ahead, and not over by now",
      row({ uninstallToldAtMs: NOW_MS - HOUR_MS, forgetDueAtMs: NOW_MS - DAY_MS }),
      null,
      false,
    ],
  ])("%s", (_what, shop, forgetDueAtMs, over) => {
    expect(keptLongEnough(shop, NOW_MS)).toEqual({ forgetDueAtMs, over });
  });
});

test.each([
  ["at once", row({ accessSinceMs: NOW_MS }), MINUTE_MS],
  ["after ten minutes", row({ accessSinceMs: NOW_MS - 10 * MINUTE_MS }), 5 * MINUTE_MS],
  ["after a day", row({ accessSinceMs: NOW_MS - DAY_MS }), 15 * MINUTE_MS],
  ["an hour after an app/uninstalled", row({ uninstallToldAtMs: NOW_MS - HOUR_MS }), HOUR_MS / 2],
  ["a day after an app/uninstalled", row({ uninstallToldAtMs: NOW_MS - DAY_MS }), 4 * HOUR_MS],
  [
    "after a first refusal, a day after an app/uninstalled",
    row({ uninstallToldAtMs: NOW_MS - DAY_MS, refusedAtMs: NOW_MS }),
    MINUTE_MS,
  ],
  [
    "after a refusal that nothing came of for a day",
    row({ accessSinceMs: NOW_MS - DAY_MS, refusedAtMs: NOW_MS - DAY_MS }),
    15 * MINUTE_MS,
  ],
  ["told by a clock that was ahead", row({ uninstallToldAtMs: NOW_MS + DAY_MS }), MINUTE_MS],
])("Shopify is asked again %s", (_what, shop, ms) => {
  expect(nextLookMs(shop, { nowMs: NOW_MS, knownMs: DAY_MS })).toBe(ms);
});

test.each([
  ["at once", 0, MINUTE_MS],
  ["for an hour", HOUR_MS, HOUR_MS / 2],
])("Shopify is asked again as a process does that has known of it %s, whatever the date", (_what, knownMs, ms) => {
  const shop = row({ uninstallToldAtMs: NOW_MS - DAY_MS });
  expect(nextLookMs(shop, { nowMs: NOW_MS, knownMs })).toBe(ms);
});
