import { describe, expect, test } from "vitest";
import { changesOf, isBehind, withReplaced, wordsBefore } from "../../../app/domain/plan/replaced.ts";
import { templateWith } from "../../../app/domain/plan/three-way.ts";
import type { AddressTemplate, Replaced } from "../../../app/domain/records.ts";
import { addressTemplate } from "../../fakes/records.ts";

const first = templateWith(addressTemplate(), { street_number: "200", phone: "1", reference: "Portón" });
const second = templateWith(first, { street_number: "900" });
const third = templateWith(second, { phone: "2" });
const WHEN = { reading: 1, atMs: 0 };

const update = (before: AddressTemplate, after: AddressTemplate, ...named: ("street_number" | "phone" | "email")[]) =>
  changesOf(before, after, {
    address_attributes: Object.fromEntries(named.map((field) => [field, after.address[field]])),
  });
const kept = (...entries: ReturnType<typeof changesOf>): Replaced[] => withReplaced([], entries, WHEN)!;
const both = kept(...update(first, second, "street_number"), ...update(second, third, "phone"));

describe("a reading shows a template as it was before our writes", () => {
  test("before the last one, or before several", () => {
    expect(isBehind(second, { template: third }, both)).toBe(true);
    expect(isBehind(first, { template: third }, both)).toBe(true);
  });

  test("but not where it shows what stands there now", () => {
    expect(isBehind(third, { template: third }, both)).toBe(false);
  });

  test("nor a third value, in what we wrote or beside it", () => {
    expect(isBehind(templateWith(third, { phone: "3" }), { template: third }, both)).toBe(false);
    expect(isBehind(templateWith(second, { reference: "Azul" }), { template: third }, both)).toBe(false);
  });

  test("also with a third value beside them, where a write changed several fields and all of them show what stood before", () => {
    const after = templateWith(first, { street_number: "900", phone: "2" });
    const one = kept(...update(first, after, "street_number", "phone"));
    const unseen = { reference: "Azul" };
    expect(isBehind(templateWith(first, unseen), { template: after }, one)).toBe(true);
    expect(isBehind(templateWith(after, { ...unseen, phone: "1" }), { template: after }, one)).toBe(false);
  });

  test("also with a third value among them, where nothing of the write shows", () => {
    const after = templateWith(first, { street_number: "900", phone: "2", email: "b@example.com" });
    const one = kept(...update(first, after, "street_number", "phone", "email"));
    const shows = (shown: AddressTemplate) => isBehind(shown, { template: after }, one);
    // Somebody wrote it before our write, unseen.
    expect(shows(templateWith(first, { street_number: "555" }))).toBe(true);
    // A person may take one of them back and change the others.
    expect(shows(templateWith(first, { street_number: "555", phone: "3" }))).toBe(false);
    expect(shows(templateWith(after, { street_number: "555" }))).toBe(false);
  });

  test("nor the old value of one field that a write changed, and the new one of another", () => {
    const after = templateWith(first, { street_number: "900", phone: "2" });
    const one = kept(...update(first, after, "street_number", "phone"));
    expect(isBehind(first, { template: after }, one)).toBe(true);
    expect(isBehind(templateWith(after, { phone: "1" }), { template: after }, one)).toBe(false);
  });

  test("nor where we wrote the old value back", () => {
    const back = templateWith(second, { street_number: "200" });
    const replaced = kept(...update(first, second, "street_number"), ...update(second, back, "street_number"));
    expect(isBehind(back, { template: back }, replaced)).toBe(false);
    expect(isBehind(second, { template: back }, replaced)).toBe(true);
  });

  test("also before somebody's change that was seen since, which alone proves nothing", () => {
    const theirs = templateWith(second, { reference: "Azul" });
    const others = changesOf(second, theirs);
    expect(isBehind(second, { template: theirs }, kept(...others))).toBe(false);
    expect(isBehind(first, { template: theirs }, kept(...update(first, second, "street_number"), ...others))).toBe(
      true,
    );
  });
});

describe("a reading shows what carriers said before our question", () => {
  const said = (status: string, verification_id = "v1"): AddressTemplate => ({
    ...first,
    verified_carriers: [{ carrier_name: "fedex", status, update_state: null, verification_id }],
  });
  const replaced = kept(...wordsBefore(said("approved"), said("pending")));

  test("where it shows exactly that", () => {
    expect(isBehind(said("approved"), { template: said("pending") }, replaced)).toBe(true);
  });

  test("but not another word, nor one that was there already", () => {
    expect(isBehind(said("rejected"), { template: said("pending") }, replaced)).toBe(false);
    expect(isBehind(said("approved"), { template: said("approved") }, replaced)).toBe(false);
  });

  test("nor where the question's answer leaves the carriers out", () => {
    expect(wordsBefore(said("approved"), first)).toEqual([]);
  });
});
