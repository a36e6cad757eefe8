import { describe, expect, test } from "vitest";
import { composeOrigin } from "../../../app/domain/address/compose.ts";
import { fieldFates } from "../../../app/domain/plan/field-fates.ts";
import { draftFor } from "../../../app/domain/plan/plan.ts";
import { templateWith, valuesOfDraft } from "../../../app/domain/plan/three-way.ts";
import { DEFAULT_POLICIES } from "../../../app/domain/records.ts";
import type { AddressTemplate } from "../../../app/domain/records.ts";
import { addressTemplate, detailsRecord, linkRecord, locationRecord, NOW_MS } from "../../fakes/records.ts";
import { CONTACT, shopifyLocation } from "../../fakes/world.ts";

/** What the page says will be saved is what a run would send. */

type Facts = Parameters<typeof fieldFates>[0];

const location = { ...locationRecord(), ...shopifyLocation(1) };
const details = detailsRecord({ confirmedAtMs: NOW_MS });
const composed = composeOrigin({ address: location.address, postal: null, defaults: CONTACT, details });
const draft = draftFor({ location, details, policies: DEFAULT_POLICIES, link: null }, composed.attributes!);
const saved: AddressTemplate = templateWith(addressTemplate({ address_type: "from" }), valuesOfDraft(draft));
const link = linkRecord({ sent: draft, answered: saved });

function fatesOf(over: Partial<Facts> = {}) {
  return fieldFates({
    location,
    details,
    policies: DEFAULT_POLICIES,
    composed,
    link,
    connection: { id: "connection-1", state: "active" },
    theirs: saved,
    emptied: null,
    nowMs: NOW_MS,
    ...over,
  });
}

const theirsWith = (reference: string) => ({ ...saved, address: { ...saved.address, reference } });
const newContact = { ...CONTACT, email: "otra@taller-copal.example" };

describe("what becomes of a field of the template", () => {
  test("nothing where both say the same", () => {
    expect(new Set(Object.values(fatesOf()))).toEqual(new Set(["same"]));
  });

  test("all are written where there is no template, or where it was deleted", () => {
    expect(new Set(Object.values(fatesOf({ link: null, theirs: null })))).toEqual(new Set(["written"]));
    const gone = { ...link, missingSinceMs: NOW_MS };
    expect(new Set(Object.values(fatesOf({ link: gone })))).toEqual(new Set(["written"]));
  });

  test("what was changed here alone is written, and no other field", () => {
    const changed = composeOrigin({ address: location.address, postal: null, defaults: newContact, details });
    const fates = fatesOf({ composed: changed });
    expect(fates.email).toBe("written");
    expect(Object.values(fates).filter((fate) => fate !== "same")).toHaveLength(1);
  });

  test("what somebody changed in the account waits for the owner's choice", () => {
    expect(fatesOf({ theirs: theirsWith("Entrada por el callejón") }).reference).toBe("undecided");
  });

  test("what the owner chose to keep stays, and ours is not announced", () => {
    const theirs = theirsWith("Entrada por el callejón");
    const choices = [{ field: "reference", choice: "theirs", theirs: "Entrada por el callejón" }] as const;
    expect(fatesOf({ theirs, link: { ...link, choices: [...choices] } }).reference).toBe("kept");
  });

  test("nothing is announced for a location that was closed, or left out by its owner", () => {
    const changed = composeOrigin({ address: location.address, postal: null, defaults: newContact, details });
    const closed = { ...location, isActive: false };
    expect(new Set(Object.values(fatesOf({ location: closed, composed: changed })))).toEqual(new Set(["left"]));
    const excluded = { ...details, inclusion: "never" } as const;
    expect(new Set(Object.values(fatesOf({ details: excluded, composed: changed })))).toEqual(new Set(["left"]));
  });

  test("an address that lacks something is compared as far as it is known", () => {
    const lacking = composeOrigin({
      address: location.address,
      postal: null,
      defaults: { ...newContact, name: null },
      details,
    });
    expect(lacking.attributes).toBeNull();
    const fates = fatesOf({ composed: lacking });
    expect([fates.email, fates.postal_code]).toEqual(["written", "same"]);
  });
});
