import { describe, expect, test } from "vitest";
import { ORIGIN_NOTICES, originNotice } from "../../app/components/origin/origin-notice.ts";
import type { OriginNotice } from "../../app/components/origin/origin-notice.ts";

const QUIET = {
  ...{ exclusion: null, paused: false, missingSinceMs: null, unreadable: null, refusal: null, state: "ready" },
  ...{ splitLapsed: false, failure: null, held: false, reasonCode: null },
} as const;

const FAILURE = { code: "server_error", message: null, requestId: null, sinceMs: 1 };

type Case = Partial<Record<keyof typeof QUIET | "answer", unknown>>;

/** What alone brings each. */
const OWN: Record<OriginNotice, Case> = {
  elsewhere: { answer: "stale" },
  taken: { answer: "taken" },
  excluded: { exclusion: "inactive" },
  paused: { paused: true },
  missing: { missingSinceMs: 1 },
  unreadable: { unreadable: { id: "1" } },
  refusal: { refusal: { message: null, requestId: null, atMs: 1 } },
  carrierRefusal: { state: "refused_by_carrier" },
  lapsed: { state: "incomplete", splitLapsed: true },
  fails: { failure: FAILURE },
  waiting: { held: true },
};

const notice = ({ answer = null, ...view }: Case, told: string | null = null) =>
  originNotice({ ...QUIET, ...view } as never, { answer, told } as never);

describe("an origin's page", () => {
  test("has nothing to say where nothing is to be done", () => {
    expect(notice({})).toBeNull();
  });

  test.each(ORIGIN_NOTICES)("says %s", (each) => {
    expect(notice(OWN[each])).toBe(each);
  });

  test("says one thing, the one that comes first", () => {
    for (const [rank, first] of ORIGIN_NOTICES.entries())
      for (const later of ORIGIN_NOTICES.slice(rank + 1)) {
        const both = notice({ ...OWN[later], ...OWN[first] });
        expect([first, later, both]).toEqual([first, later, first]);
      }
  });

  test.each(["invalid", "unreadable", "unconfirmed", "shut"])(
    "leaves what waits for a connection that is %s",
    (told) => {
      expect(notice(OWN.waiting, told)).toBeNull();
      expect(notice(OWN.fails, told)).toBeNull();
      expect(notice(OWN.missing, told)).toBe("missing");
    },
  );

  test("tells a failure of its own beside a service that does not answer", () => {
    expect(notice({ failure: { ...FAILURE, code: "internal" } }, "failing")).toBe("fails");
    expect(notice({ failure: { ...FAILURE, code: "timeout" } }, "failing")).toBeNull();
  });
});
