import type { ConnectionRecord, LinkRecord } from "../domain/records.ts";
import type { Tables } from "../ports.ts";

/** The links that other client ids of the same environment left: what a new client id for the same account takes over. */
export async function keptLinks(
  tables: Pick<Tables, "links">,
  { shop, environment, id }: Pick<ConnectionRecord, "shop" | "environment" | "id">,
): Promise<LinkRecord[]> {
  return tables.links.list({ shop, environment, connectionId: { not: id } });
}
