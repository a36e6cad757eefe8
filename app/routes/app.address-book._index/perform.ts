import { refreshAddressBook } from "../../book/refresh-address-book.ts";
import type { Services } from "../../ports.ts";
import type { BookIntent } from "./schema.ts";

/** Reads the account while the page shows the stored book. */
export async function perform(services: Services, { shop, asked }: { shop: string; asked: BookIntent }) {
  const waitMs = services.settings.interactiveWaitMs;
  return { refreshed: await refreshAddressBook(services, { shop, force: asked.force, waitMs }) };
}
