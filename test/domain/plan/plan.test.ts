import { describe, expect, test } from "vitest";
import { ADDRESS_FIELDS } from "../../../app/domain/address/address.ts";
import { composeOrigin } from "../../../app/domain/address/compose.ts";
import { aliasWithMarker, markerOf } from "../../../app/domain/marker.ts";
import { mayBeMadeFrom } from "../../../app/domain/plan/create-fit.ts";
import { createBody, draftFor, planOrigin } from "../../../app/domain/plan/plan.ts";
import { proposalsFor } from "../../../app/domain/plan/proposals.ts";
import { createTemplateIndex } from "../../../app/domain/template-index.ts";
import type { PlanInput } from "../../../app/domain/plan/plan.ts";
import { DEFAULT_POLICIES } from "../../../app/domain/records.ts";
import type { AddressTemplate, LinkRecord, LocationRecord } from "../../../app/domain/records.ts";
import { templateWith, valuesOfDraft } from "../../../app/domain/plan/three-way.ts";
import { addressTemplate, detailsRecord, linkRecord, locationRecord, NOW_MS, SHOP } from "../../fakes/records.ts";
import { CONTACT, shopifyLocation } from "../../fakes/world.ts";

/**
 * What is to be done for one location.
 *
 * Long, because all plans are made from one set of facts.
 */

const location: LocationRecord = { ...locationRecord(), ...shopifyLocation(1) };
const marker = markerOf(SHOP, location.locationId);

function facts(over: Partial<PlanInput> = {}): PlanInput {
  const details = over.details === undefined ? detailsRecord({ confirmedAtMs: NOW_MS }) : over.details;
  const at = over.location ?? location;
  return {
    policies: DEFAULT_POLICIES,
    location: at,
    composed: composeOrigin({ address: at.address, postal: null, defaults: CONTACT, details }),
    connection: { id: "connection-1", state: "active" },
    sendWhole: false,
    link: null,
    theirs: null,
    emptied: null,
    kept: null,
    fresh: false,
    doubted: false,
    free: createTemplateIndex(),
    otherMarkers: new Set(),
    unreadable: [],
    nowMs: NOW_MS,
    ...over,
    details,
  };
}

const draft = draftFor(facts(), facts().composed.attributes!);
const ours: AddressTemplate = templateWith(addressTemplate({ address_type: "from" }), valuesOfDraft(draft));
const link = (over: Partial<LinkRecord> = {}) => linkRecord({ sent: draft, answered: ours, ...over });
const step = (over: Partial<PlanInput>) => {
  const plan = planOrigin(facts(over));
  return plan.step === "blocked" ? plan.reason : plan.step;
};
const moved = { ...location, address: { ...location.address, address1: "Calle Morelos \u20609" } };

describe("a location without a template", () => {
  test.each<[string, Partial<PlanInput>, string]>([
    ["is created", {}, "create"],
    ["waits for its owner's first word", { details: null }, "unconfirmed"],
    [
      "waits for what it lacks",
      {
        composed: composeOrigin({
          address: location.address,
          postal: null,
          defaults: { ...CONTACT, email: null },
          details: null,
        }),
      },
      "incomplete",
    ],
    ["waits for a connection", { connection: null }, "not_connected"],
    ["waits for a new secret", { connection: { id: "c", state: "invalid" } }, "invalid_client"],
    [
      "waits until it is known whose account it is",
      { connection: { id: "c", state: "unconfirmed" } },
      "account_unconfirmed",
    ],
    ["waits for the first reading of the whole book", { free: null }, "read_book"],
    ["is left alone when it is paused", { details: detailsRecord({ confirmedAtMs: NOW_MS, paused: true }) }, "leave"],
    ["is left alone when sync is off", { policies: { ...DEFAULT_POLICIES, syncOn: false } }, "leave"],
    ["is left alone when it ships nothing online", { location: { ...location, fulfillsOnlineOrders: false } }, "leave"],
    [
      "is included by hand all the same",
      {
        location: { ...location, fulfillsOnlineOrders: false },
        details: detailsRecord({ confirmedAtMs: NOW_MS, inclusion: "always" }),
      },
      "create",
    ],
    ["is left alone when it is deleted", { location: { ...location, deletedAtMs: NOW_MS } }, "leave"],
    ["adopts the template with its marker", { free: createTemplateIndex([ours]) }, "adopt"],
    [
      "asks about a template that holds its address",
      { free: createTemplateIndex([templateWith(ours, { alias_name: "Mi bodega" })]) },
      "adoption_choice",
    ],
    [
      "is created anyway when the owner says so",
      {
        free: createTemplateIndex([templateWith(ours, { alias_name: "Mi bodega" })]),
        details: detailsRecord({ confirmedAtMs: NOW_MS, adoption: "create" }),
      },
      "create",
    ],
  ])("%s", (_name, over, expected) => {
    expect(step(over)).toBe(expected);
  });
});

const toBeDeleted: Partial<PlanInput> = {
  location: { ...location, isActive: false },
  policies: { ...DEFAULT_POLICIES, onDeactivate: "delete" },
};

describe("a location with a template", () => {
  const theirs = ours;
  test.each<[string, Partial<PlanInput>, string]>([
    ["as we left it needs nothing", { link: link(), theirs }, "record"],
    ["nobody knows is read", { link: link() }, "read_template"],
    ["that moved is read before anything is sent", { link: link(), theirs, location: moved }, "read_template"],
    ["that moved is sent once it was read", { link: link(), theirs, fresh: true, location: moved }, "update"],
    ["that is gone there waits", { link: link({ missingSinceMs: NOW_MS }) }, "missing_there"],
    ["that came back there goes on", { link: link({ missingSinceMs: NOW_MS }), theirs }, "record"],
    ["that left is kept", { link: link(), location: { ...location, isActive: false } }, "leave"],
    ["that left is unlinked", { link: link(), location: { ...location, deletedAtMs: NOW_MS } }, "unlink"],
    [
      "that left is deleted",
      {
        link: link(),
        ...toBeDeleted,
      },
      "delete",
    ],
    [
      "that left is deleted, though a write of ours has emptied a part of it",
      {
        link: link(),
        theirs: templateWith(ours, { email: "", reference: "" }),
        emptied: { email: ours.address.email!, reference: ours.address.reference! },
        ...toBeDeleted,
      },
      "delete",
    ],
    [
      "that left is kept where somebody else has changed it, too",
      {
        link: link(),
        theirs: templateWith(ours, { email: "", reference: "Timbre azul" }),
        emptied: { email: ours.address.email! },
        ...toBeDeleted,
      },
      "unlink",
    ],
    [
      "that left waits for a connection to be deleted over",
      {
        link: link(),
        connection: null,
        ...toBeDeleted,
      },
      "not_connected",
    ],
  ])("%s", (_name, over, expected) => {
    expect(step(over)).toBe(expected);
  });

  test("sends only the fields that changed, and the whole where the service needs it", () => {
    const part = planOrigin(facts({ link: link(), theirs, fresh: true, location: moved }));
    expect(part).toMatchObject({ patch: { address_attributes: { street1: "Calle Morelos", street_number: "9" } } });
    expect(Object.keys((part as { patch: { address_attributes: object } }).patch.address_attributes)).toHaveLength(2);
    const whole = planOrigin(facts({ sendWhole: true, link: link(), theirs, fresh: true, location: moved }));
    const sent = Object.keys((whole as { patch: { address_attributes: object } }).patch.address_attributes);
    expect(sent.toSorted()).toEqual(ADDRESS_FIELDS.toSorted());
  });
});

describe("the default origin", () => {
  const chosen = { ...DEFAULT_POLICIES, defaultLocationId: location.locationId };

  test("is said to be it, and taken back once another is", () => {
    expect(draftFor(facts({ policies: chosen }), ours.address).default).toBe(true);
    const before = link({ sent: { ...draft, default: true } });
    expect(draftFor(facts({ link: before }), ours.address).default).toBe(false);
  });

  test("is nobody's business where no origin ever was one", () => {
    expect(draftFor(facts(), ours.address)).not.toHaveProperty("default");
  });
});

describe("proposals", () => {
  const how = (template: AddressTemplate, otherMarkers: string[] = []) =>
    proposalsFor(
      { location, details: null, free: createTemplateIndex([template]), otherMarkers: new Set(otherMarkers) },
      draft,
    )[0]?.how;
  const stranger = templateWith(ours, { alias_name: "Mi bodega" });

  test.each<[string, AddressTemplate, string | undefined]>([
    [
      "by marker, whatever else it says",
      templateWith(addressTemplate(), { alias_name: aliasWithMarker("{name}", "x", marker) }),
      "marker",
    ],
    [
      "by an equal address, however it is written",
      templateWith(stranger, { street1: "AV VALLARTA", area_level3: "Col. Americana", name: "Otra" }),
      "equal",
    ],
    ["by street, postal code and name", templateWith(stranger, { area_level3: null }), "likely"],
    ["not by postal code alone", templateWith(stranger, { street1: "Calle Juárez", street_number: "5" }), undefined],
    ["not a destination", { ...stranger, address_type: "to" }, undefined],
  ])("%s", (_name, template, expected) => {
    expect(how(template)).toBe(expected);
  });

  test("not the template of another living location", () => {
    const others = templateWith(ours, { alias_name: aliasWithMarker("{name}", "x", "00000000") });
    expect(how(others, ["00000000"])).toBeUndefined();
    expect(how(others)).toBe("equal");
  });

  test("tell the differences where we have something to say", () => {
    const [proposal] = proposalsFor(
      {
        location,
        details: null,
        free: createTemplateIndex([templateWith(stranger, { reference: "Otra", company: "Suya" })]),
        otherMarkers: new Set(),
      },
      draft,
    );
    expect(proposal!.differences.map(({ field }) => field)).toEqual(["reference", "alias_name"]);
  });
});

test("a create names no field without a value", () => {
  expect(Object.values(createBody(draft).address_attributes)).not.toContain(null);
});

describe("what an unclear create may have made", () => {
  const { address } = addressTemplate();
  const said = { alias_name: "Proveedor", address_type: "pickup", address_attributes: address };
  const kept = { company: "CAFÉ ÑANDÚ", street1: "AV. INSURGENTES SUR", area_level3: "DEL VALLE" };
  const made = addressTemplate({ alias_name: "Proveedor", address: { ...address, ...kept } });

  test.each([
    ["the service keeps in capitals", {}, true],
    [
      "somebody corrected two words of, which the service keeps in capitals",
      { name: "Eva", email: "eva@example.com" },
      true,
    ],
    ["says three words of its own", { name: "Eva", email: "eva@example.com", postal_code: "72000" }, false],
  ])("one that %s: %s", (_title, corrected, expected) => {
    const template = { ...made, address: { ...made.address, ...corrected } };
    expect(mayBeMadeFrom(template, said)).toBe(expected);
  });

  test("one whose name the service keeps in capitals", () => {
    expect(mayBeMadeFrom({ ...made, alias_name: "PROVEEDOR" }, said)).toBe(true);
  });
});
