import type { PostalFacts } from "../domain/mexico/postal-codes.ts";
import type { Services } from "../ports.ts";

/** What the list in use says of a postal code, for a form in which it is typed. It is no shop's. Null for what is no code, too. */
export async function readPostalCode(
  { store }: Pick<Services, "store">,
  { code }: { code: string },
): Promise<PostalFacts | null> {
  return /^\d{5}$/.test(code) ? store.postalCodes.find(code) : null;
}
