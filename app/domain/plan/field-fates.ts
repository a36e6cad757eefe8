import { exclusionOf } from "../origin-state.ts";
import { ADDRESS_FIELDS } from "../address/address.ts";
import type { AddressAttributes, AddressField } from "../address/address.ts";
import { departureOf, isDeparted } from "./departed.ts";
import { compareLinked, draftFor } from "./plan.ts";
import type { PlanInput } from "./plan.ts";

/**
 * What becomes of a field of the template: `same`, nothing; `written`, the next run writes the location's value; `kept`, the account's own
 * value stays by the owner's choice; `undecided`, both differ and nothing is written until the owner chooses; `left`, the location is put
 * away, so that nothing of it is written; `deleted`, the template goes with its location, as the owner's rule says.
 */
export type FieldFate = "same" | "written" | "kept" | "undecided" | "left" | "deleted";

type Facts = Pick<
  PlanInput,
  "location" | "details" | "policies" | "composed" | "link" | "connection" | "theirs" | "emptied" | "nowMs"
>;

/**
 * What a run would do to each address field, by the same comparison that the run makes. An address that still lacks something is compared
 * as far as it is known: it is what would be written once the rest is there.
 */
export function fieldFates(facts: Facts): Record<AddressField, FieldFate> {
  const { link, theirs, composed, emptied, nowMs } = facts;
  if (isDeparted(facts) && departureOf(facts) === "delete") return all("deleted");
  if (exclusionOf(facts) !== null) return all("left");
  if (!link || !theirs || link.missingSinceMs !== null) return all("written");
  const address = Object.fromEntries(
    ADDRESS_FIELDS.map((field) => [field, composed.fields[field].value]),
  ) as AddressAttributes;
  const draft = draftFor({ ...facts, link, theirs }, composed.attributes ?? address);
  const { send, differences, accepted } = compareLinked({
    connection: facts.connection,
    link,
    draft,
    theirs,
    emptied,
    nowMs,
  });
  const fateOf = (field: AddressField): FieldFate => {
    if (send.includes(field)) return "written";
    if (differences.some((difference) => difference.field === field)) return "undecided";
    return accepted.some((one) => one.field === field) ? "kept" : "same";
  };
  return Object.fromEntries(ADDRESS_FIELDS.map((field) => [field, fateOf(field)])) as Record<AddressField, FieldFate>;
}

function all(fate: FieldFate): Record<AddressField, FieldFate> {
  return Object.fromEntries(ADDRESS_FIELDS.map((field) => [field, fate])) as Record<AddressField, FieldFate>;
}
