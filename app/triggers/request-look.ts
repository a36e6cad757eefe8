import type { Clock, Random, Tables } from "../ports.ts";
import { requestWork } from "../runs/request-work.ts";
import { isOfProduction, LOOK } from "./note-events.ts";
import { isUsedBy } from "./note-origins.ts";

/**
 * Asks for a look at all origins, for whoever has read or taken up production's account. In the transaction of that: where a first look was
 * still to come, what is so by now is not told as news, whichever run meets it first.
 */
export async function requestLook(
  services: { clock: Clock; random: Random },
  tables: Pick<Tables, "shops" | "connections" | "workItems">,
  shop: string,
): Promise<void> {
  if ((await isUsedBy(tables, shop)) && (await isOfProduction(tables, shop)))
    await requestWork(services, tables, { shop, kind: "flow", key: LOOK, unchanged: true });
}
