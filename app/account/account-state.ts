import type { ConnectionRecord } from "../domain/records.ts";
import type { Tables } from "../ports.ts";
import { keptLinks } from "./kept-links.ts";

/**
 * The state of a connection whose credentials the service has just accepted. An account that is known keeps its answer: it is in use,
 * or has links of its own. One without, beside links that others keep, must first be told apart.
 */
export async function stateOfAccount(
  tables: Pick<Tables, "links" | "connections">,
  { id, shop, environment }: ConnectionRecord,
  before: ConnectionRecord | null,
): Promise<"active" | "unconfirmed"> {
  if (before?.state === "active" || (await tables.links.count({ shop, connectionId: id })) > 0) return "active";
  const kept = await keptLinks(tables, { id, shop, environment });
  return kept.length > 0 ? "unconfirmed" : "active";
}
