import { describe, expect, test } from "vitest";
import { accountNote, isChosenAbove, nextHeading } from "../../app/components/origin/address-words.ts";
import type { FieldFate } from "../../app/domain/plan/field-fates.ts";
import type { OriginView } from "../../app/views/origin.ts";

const SAME = {
  ...{ differences: [], pending: false, unreadable: null, state: "ready", connection: { closed: null } },
  ...{ paused: false, splitLapsed: false, confirmed: true },
};
const fields = (...fates: FieldFate[]) => fates.map((fate) => ({ fate, problem: null, severity: null }));
const difference = { field: "reference", kind: "drift" };

type Case = Partial<Record<keyof OriginView, unknown>>;
const note = (view: Case) => accountNote({ ...SAME, fields: fields("same"), ...view } as never);

describe("what a page says of an address in the account", () => {
  test.each<[string, Case, ReturnType<typeof accountNote>]>([
    ["nothing differs", {}, "same"],
    ["nothing differs, and the location is paused", { state: "paused", paused: true }, "same"],
    ["another place than Shopify's is the location's address", { isPlaceHeld: true }, "sameAsUsed"],
    ["a value of the account's stays by choice", { fields: fields("same", "kept") }, "sameButKept"],
    ["the location is put away", { fields: fields("left", "left") }, "left"],
    ["the template goes with its location", { fields: fields("deleted", "deleted") }, "goes"],
    ["a field is to be saved", { fields: fields("same", "written") }, null],
    ["a field is to be chosen", { fields: fields("same", "undecided") }, null],
    ["its name alone differs", { differences: [difference], state: "paused" }, null],
    ["its name alone is to be saved", { pending: true, state: "changing" }, null],
    ["its row in the account cannot be read", { unreadable: { what: [] } }, null],
    ["the last run did not come to its end", { state: "waiting" }, null],
    ["saving it keeps failing", { state: "parked" }, null],
    ["the credentials are refused", { connection: { closed: "invalid_client" } }, "sameWhenRead"],
    ["nothing is connected", { connection: null, state: "waiting" }, "sameWhenRead"],
  ])("%s", (_what, view, said) => expect(note(view)).toBe(said));

  const lacking = [{ fate: "written", problem: "missing", severity: "error" }];
  test.each<[string, Case, ReturnType<typeof nextHeading>]>([
    ["saved by itself", {}, "next"],
    ["nobody has confirmed it", { state: "to_review", confirmed: false }, "nextConfirm"],
    ["it moved in Shopify", { state: "incomplete", splitLapsed: true }, "nextConfirm"],
    ["something is missing", { state: "incomplete", fields: lacking }, "nextIncomplete"],
    ["the service refused it", { state: "refused_by_service" }, "nextCorrected"],
    ["paused", { state: "paused", paused: true }, "nextPaused"],
    ["paused, and it moved in Shopify", { state: "paused", paused: true, splitLapsed: true }, "nextConfirmPaused"],
    ["paused, and something is missing", { state: "paused", paused: true, fields: lacking }, "nextConfirmPaused"],
    ["syncing is off", { state: "paused" }, "nextSyncOff"],
    ["syncing is off, and nobody has confirmed it", { state: "paused", confirmed: false }, "nextConfirmSyncOff"],
  ])("when it is saved: %s", (_what, view, said) =>
    expect(nextHeading({ ...SAME, fields: fields("written"), ...view } as never)).toBe(said),
  );

  test("leads to a choice above only where there is one", () => {
    const differences = [difference] as never;
    expect(isChosenAbove({ field: "reference" }, { differences })).toBe(true);
    expect(isChosenAbove({ field: "phone" }, { differences })).toBe(false);
  });
});
