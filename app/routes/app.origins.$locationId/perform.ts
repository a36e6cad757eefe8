import type { OriginAnswer, OriginIntent } from "../../components/origin/origin-intent.ts";
import type { Services } from "../../ports.ts";
import { createAnyway } from "../../origins/create-anyway.ts";
import { deleteOriginTemplate } from "../../origins/delete-origin-template.ts";
import { draftIdOf } from "../../by-hand/draft-id.ts";
import { includeOrigin } from "../../origins/include-origin.ts";
import { isLocation } from "../../origins/is-location.ts";
import type { ShownTemplate } from "../../origins/link-origin.ts";
import { linkOrigin } from "../../origins/link-origin.ts";
import { makeAgain } from "../../origins/make-again.ts";
import { pauseOrigin } from "../../origins/pause-origin.ts";
import { refreshOrigin } from "../../origins/refresh-origin.ts";
import { saveOriginDetails } from "../../origins/save-origin-details.ts";
import { resolveDifference } from "../../origins/resolve-difference.ts";
import { syncOrigin } from "../../origins/sync-origin.ts";
import { unlinkOrigin } from "../../origins/unlink-origin.ts";
import { verifyOrigin } from "../../origins/verify-origin.ts";
import { FORM_CONTACT_FIELDS, SPLIT_FIELDS } from "../../domain/address/form-fields.ts";
import type { ContactDetails, ConfirmedSplit } from "../../domain/address/address.ts";
import type { StatedDetails } from "../../domain/records.ts";

type Outcome = OriginAnswer extends infer A ? (A extends unknown ? Omit<A, "intent"> : never) : never;

const DONE = { kind: "done", progress: { kind: "done" } } as const;

/** The commands of an origin's page, one call each. */
export async function perform(
  services: Services,
  { shop, locationId, asked }: { shop: string; locationId: string; asked: OriginIntent },
): Promise<Outcome> {
  const one = { shop, locationId };
  switch (asked.intent) {
    case "save":
      return saveOriginDetails(services, { shop, stated: statedDetails(locationId, asked) });
    case "sync":
      return syncOrigin(services, one);
    case "include":
      return includeOrigin(services, one);
    case "link":
      return linkOrigin(services, { ...one, ...shownTemplate(asked) });
    case "unlink":
      return (await unlinkOrigin(services, one)) === "unlinked" ? DONE : { kind: "not_found" };
    case "delete":
      return deletion(
        await deleteOriginTemplate(services, {
          ...one,
          draftId: await draftIdOf(services, { shop, draftId: asked.draftId }),
        }),
      );
    case "makeAgain":
      return makeAgain(services, one);
    case "createAnyway":
      return createAnyway(services, one);
    case "resolve":
      return resolveDifference(services, { ...one, choices: asked.choices });
    case "verify":
      return verifyOrigin(services, { ...one, carriers: asked.carriers });
    case "pause":
    case "resume":
      if (!(await isLocation(services, { shop, locationIds: [locationId] }))) return { kind: "not_found" };
      await pauseOrigin(services, { shop, locationIds: [locationId], paused: asked.intent === "pause" });
      return DONE;
    case "refresh":
      if (!(await isLocation(services, { shop, locationIds: [locationId] }))) return { kind: "not_found" };
      await refreshOrigin(services, one);
      return { kind: "quiet" };
  }
}

function shownTemplate({ intent: _, ...shown }: Extract<OriginIntent, { intent: "link" }>): ShownTemplate {
  return shown;
}

/** The progress of a deletion, in the form in which the page shows any run. */
function deletion(ending: Awaited<ReturnType<typeof deleteOriginTemplate>>): Outcome {
  switch (ending.kind) {
    case "not_found":
      return ending;
    case "done":
    case "gone":
      return DONE;
    case "taken_back":
      return { kind: "changed_since" };
    case "under_way":
      return { kind: "done", progress: ending };
    case "waits":
      return { kind: "done", progress: { kind: "failed" } };
    default:
      return { kind: "done", progress: { kind: "blocked" } };
  }
}

/** The form's fields as details. The reference is part of the split; an emptied field clears the stored value. */
function statedDetails(locationId: string, asked: Extract<OriginIntent, { intent: "save" }>): StatedDetails {
  const { revision, readFrom, values } = asked;
  const pick = (fields: readonly (keyof typeof values)[]) =>
    Object.fromEntries(
      fields.flatMap((field) => (values[field] === undefined ? [] : [[field, values[field].trim() || null]])),
    );
  return {
    locationId,
    revision,
    readFrom,
    contact: { ...pick(FORM_CONTACT_FIELDS), reference: null } as Partial<ContactDetails>,
    split: pick(SPLIT_FIELDS) as ConfirmedSplit["values"],
  };
}
