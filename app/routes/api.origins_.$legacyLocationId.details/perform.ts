import type { SaveOutcome } from "../../origins/save-origin-details.ts";
import { finishDetails } from "../../pages/finish-details.ts";
import type { Services } from "../../ports.ts";
import type { FinishedForm } from "./schema.ts";

/** Saves the fields that the order page's short form holds. */
export function perform(
  services: Services,
  { shop, locationId, asked }: { shop: string; locationId: string; asked: FinishedForm },
): Promise<SaveOutcome> {
  return finishDetails(services, { shop, finished: { ...asked, locationId } });
}
