import { asRecord, parseJson } from "../../../app/adapters/shipping/wire/json.ts";
import { ADDRESS_FIELDS, type AddressAttributes, type AddressField } from "../../../app/domain/address/address.ts";
import type { AddressTemplate, TemplatePatch } from "../../../app/domain/records.ts";
import type { Written } from "../../../app/ports.ts";
import type { Asking } from "../asking.ts";
import type { Emptiness, Seen } from "../seen.ts";
import { listEnds } from "../scratch.ts";
import { ask, type Outcome } from "../service.ts";
import { wait } from "./lateness.ts";
import { note } from "./tokens.ts";

/** docs/shipping-interface.md, 4.4: what a PATCH leaves of what it does not name, and how "nothing" comes back. */

function patch(asking: Asking, change: TemplatePatch): Promise<Outcome<Written<AddressTemplate>>> {
  const { service, made, write } = asking;
  return ask(service, () =>
    service.client.update(service.caller, { templateId: made.changed!.template.id, patch: change }, write),
  );
}

/** The whole address, so that what the service does to unnamed fields plays no part. */
export function patchWhole(asking: Asking, over: Partial<AddressAttributes>, alias?: string) {
  const address_attributes = { ...asking.made.changed!.draft.address_attributes, ...over };
  return patch(asking, { ...(alias !== undefined && { alias_name: alias }), address_attributes });
}

export async function askPartial(asking: Asking): Promise<void> {
  const { seen, made, clock } = asking;
  if (!made.changed) return;
  const before = made.changed.template.address;
  const outcome = await patch(asking, { address_attributes: { apartment_number: "5" } });
  const sinceMs = clock.monotonicMs();
  if (outcome.value?.kind === "refused") seen.partialAddress = "reject";
  if (outcome.value?.kind === "written") {
    const after = outcome.value.value.address;
    const emptied = ADDRESS_FIELDS.filter((field) => field !== "apartment_number" && before[field] && !after[field]);
    seen.partialAddress = emptied.length === 0 ? "merge" : "replace";
    note(asking, "update", outcome);
    await askChangedAppears(asking, sinceMs);
  }
  // What the first PATCH emptied would not be there to be kept.
  if (seen.partialAddress === "replace") await patchWhole(asking, {});
  const name = `${made.changed.name} otra`;
  const alone = await patch(asking, { alias_name: name });
  if (alone.value?.kind === "refused") seen.aliasAlone = "reject";
  if (alone.value?.kind === "written") {
    const { postal_code, area_level2 } = alone.value.value.address;
    seen.aliasAlone = postal_code && area_level2 ? "keeps_address" : "empties_address";
  }
}

async function askChangedAppears(asking: Asking, sinceMs: number): Promise<void> {
  const { service, made, call } = asking;
  const { id } = made.changed!.template;
  const isNew = (template: AddressTemplate | null | undefined) => template?.address.apartment_number === "5";
  const isGot = async () => {
    const { value } = await ask(service, () => service.client.get(service.caller, id, call));
    return value?.kind === "found" && isNew(value.value);
  };
  const isListed = async () => isNew((await listEnds(service, call.signal)).find((row) => row.id === id));
  await wait(asking, "changed_get", { sinceMs, isThere: isGot });
  await wait(asking, "changed_list", { sinceMs, isThere: isListed });
}

/** null and "" of fields that may be null. */
export async function askNothing(asking: Asking): Promise<void> {
  const { seen, made } = asking;
  if (!made.changed) return;
  seen.nullText = nothingOf(await patchWhole(asking, { company: null }), "company");
  seen.emptyText = nothingOf(await patchWhole(asking, { company: "" }), "company");
}

function nothingOf({ value, answer }: Outcome<Written<AddressTemplate>>, field: AddressField): Emptiness {
  if (value?.kind === "refused") return "refused";
  if (value?.kind !== "written" || !answer) return "other";
  const address = rawAddress(answer.body);
  if (!address) return "other";
  if (!(field in address)) return "absent";
  return address[field] === null ? "null" : address[field] === "" ? "empty" : "other";
}

export async function askStreetNumber(asking: Asking): Promise<void> {
  const { seen, made } = asking;
  if (!made.changed) return;
  const { value } = await patchWhole(asking, { street1: "Calle de Prueba", street_number: "123" });
  if (value?.kind === "written") seen.streetNumber = placeOf(value.value.address);
}

function placeOf({ street1, street_number }: AddressTemplate["address"]): NonNullable<Seen["streetNumber"]> {
  const isInStreet = (street1 ?? "").includes("123");
  if (street_number === "123") return isInStreet ? "other" : "apart";
  if (isInStreet) return "in_street";
  return street_number ? "other" : "dropped";
}

function rawAddress(body: string): Record<string, unknown> | null {
  return asRecord(asRecord(asRecord(parseJson(body))?.["data"])?.["address"]);
}
