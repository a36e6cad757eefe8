import { isStanding } from "../domain/address/long-text.ts";
import { mayBeTheirs } from "../domain/plan/compared-fields.ts";
import type { Difference, LinkRecord } from "../domain/records.ts";
import type { Services } from "../ports.ts";
import { changeOrigin } from "./change-origin.ts";
import { recordActivity } from "../activity/record-activity.ts";
import type { Changed, NotFound } from "../runs/run-now.ts";

export interface DifferenceChoice {
  field: Difference["field"];
  choice: "ours" | "theirs";
  /** The service's value as the owner saw it: a newer one must be seen first. */
  theirs: string | null;
}

/**
 * Answers differences, field by field; the run acts on it. `changed_since` when one is not as the owner saw it, or cannot be chosen so: nothing
 * is done.
 */
export function resolveDifference(
  services: Services,
  { shop, locationId, choices }: { shop: string; locationId: string; choices: DifferenceChoice[] },
): Promise<Changed | NotFound | { kind: "changed_since" }> {
  return changeOrigin(services, {
    shop,
    locationId,
    change: async (tables, location) => {
      const connection = await tables.connections.find({ shop, current: true });
      const link = connection && (await tables.links.find({ shop, connectionId: connection.id, locationId }));
      const made = choices.flatMap((choice) => seen(link, choice));
      if (!link || made.length === 0 || made.length < choices.length) return { kind: "changed_since" } as const;
      const fields = new Set(made.map((choice) => choice.field));
      const kept = link.choices.filter((choice) => !fields.has(choice.field));
      await tables.links.update({ id: link.id }, { choices: [...kept, ...made] });
      await recordActivity(services, tables, {
        shop,
        actor: "owner",
        kind: "difference_settled",
        outcome: "done",
        locationId,
        locationName: location.name,
        templateId: link.templateId,
        fields: made.map((choice) => resolvedField(link, choice)),
      });
      return null;
    },
  });
}

/** The choice with the whole of the service's value, which a form may have sent in short; none where it is not as the owner saw it. */
function seen(link: LinkRecord | null, choice: DifferenceChoice): DifferenceChoice[] {
  const { field, theirs } = choice;
  if (choice.choice === "theirs" && !mayBeTheirs(field)) return [];
  const found = link?.differences.find((one) => one.field === field && isStanding(field, theirs, one.theirs));
  return found ? [{ ...choice, theirs: found.theirs }] : [];
}

function resolvedField(link: LinkRecord, { field, choice, theirs }: DifferenceChoice) {
  const ours = link.differences.find((difference) => difference.field === field)?.ours ?? null;
  return choice === "ours" ? { field, from: theirs, to: ours } : { field, from: ours, to: theirs };
}
