import { verifyOrigin } from "../../origins/verify-origin.ts";
import type { Services } from "../../ports.ts";
import type { VerifyForm } from "./schema.ts";

/** Asks the carriers to verify the origin's template. */
export function perform(
  services: Services,
  { shop, locationId, asked }: { shop: string; locationId: string; asked: VerifyForm },
): ReturnType<typeof verifyOrigin> {
  return verifyOrigin(services, { shop, locationId, carriers: asked.carriers });
}
