import type {
  AddressTemplate,
  DetailsRecord,
  LinkRecord,
  LocationRecord,
  Policies,
  TemplateRecord,
} from "../records.ts";
import { putBack } from "./emptied.ts";
import { saySame } from "./three-way.ts";

/** What becomes of the template of a location that Shopify has deactivated or deleted, by its owner's rule. Pure. */

export interface DepartedFacts {
  location: Pick<LocationRecord, "deletedAtMs" | "isActive">;
  details: Pick<DetailsRecord, "paused"> | null;
  policies: Pick<Policies, "onDelete" | "onDeactivate" | "syncOn">;
  link: LinkRecord | null;
  /** The template as last seen, and what was emptied in it. */
  theirs: AddressTemplate | null;
  emptied: TemplateRecord["emptied"];
}

/** `stays`: the rule is to delete, but somebody else has changed the template. It stays, and stands for no location. */
export type Departure = "keep" | "unlink" | "stays" | "delete";

export function isDeparted({ location }: Pick<DepartedFacts, "location">): boolean {
  return location.deletedAtMs !== null || !location.isActive;
}

export function departureOf({ location, details, policies, link, theirs, emptied }: DepartedFacts): Departure {
  const rule = location.deletedAtMs !== null ? policies.onDelete : policies.onDeactivate;
  if (!link || !policies.syncOn || details?.paused) return "keep";
  if (rule !== "delete" || theirs === null) return rule;
  // No change of another person is deleted unseen: a template that differs from our last write was changed by somebody else.
  return link.answered !== null && saySame(link.answered, putBack(theirs, emptied)) ? "delete" : "stays";
}
