import type { ConnectionRecord } from "../domain/records.ts";
import type { Services } from "../ports.ts";
import { beginListing } from "../book/number-readings.ts";
import { keepShown } from "../book/read-book.ts";
import type { Shown } from "../book/read-book.ts";
import { refOf } from "../runs/circuit-breaker.ts";
import { confirmAccount } from "./confirm-account.ts";
import { keeperOf, keptLinks } from "./kept-links.ts";

/**
 * Whether a new client id opens an account that kept links belong to: it does when the account holds one of their templates.
 * Waits as long as a save may take; a longer book is read to its end behind the page. When it is not told, the owner is asked.
 */
export async function recogniseAccount(
  services: Services,
  { connection }: { connection: ConnectionRecord },
): Promise<"connected" | "unconfirmed"> {
  const { shop } = connection;
  const told = search(services, connection).catch((error: unknown) => {
    services.log.warn({ shop, error }, "the account of a new client id was not told");
    return "unconfirmed" as const;
  });
  const waited = services.clock.sleep(services.settings.interactiveWaitMs).then(() => "unconfirmed" as const);
  return Promise.race([told, waited]);
}

async function search(services: Services, connection: ConnectionRecord): Promise<"connected" | "unconfirmed"> {
  const kept = await keptLinks(services.store, connection);
  const ref = refOf(connection);
  const { shop, id } = connection;
  const account = services.shipping.account(ref);
  for (let page = 1, pages = 1; page <= pages; page++) {
    const began = await beginListing(services, ref);
    const found = await account.listPage({ page, priority: "interactive" });
    pages = found.totalPages;
    const keeperId = keeperOf(kept, found);
    if (keeperId === null) continue;
    const shown = { templates: found.templates, began };
    const isTold = await confirmAccount(services, { shop, same: true, keeperId, shown, connectionId: id });
    if (!isTold) await keepWhereOpen(services, connection, shown);
    return "connected";
  }
  return "unconfirmed";
}

/** Somebody said meanwhile whose account it is. What the page showed counts all the same. */
async function keepWhereOpen(services: Services, { shop, id }: ConnectionRecord, shown: Shown): Promise<void> {
  await services.store.transaction(shop, async (tables) => {
    const connection = await tables.connections.find({ id, shop, current: true, state: "active" });
    if (connection) await keepShown(services, tables, { ref: refOf(connection), ...shown });
  });
  services.wake();
}
