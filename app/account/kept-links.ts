import type { ConnectionRecord, LinkRecord } from "../domain/records.ts";
import type { Listing, Tables } from "../ports.ts";

/** The links of one client id, and so of one account. */
export interface KeptLinks {
  connectionId: string;
  links: LinkRecord[];
}

/**
 * The links that other client ids of the same environment left, by client id, the one used last first: what a new client id for one
 * of their accounts takes over.
 */
export async function keptLinks(
  tables: Pick<Tables, "links" | "connections">,
  { shop, environment, id }: Pick<ConnectionRecord, "shop" | "environment" | "id">,
): Promise<KeptLinks[]> {
  const links = await tables.links.list({ shop, environment, connectionId: { not: id } });
  const used = await tables.connections.list({ shop, environment }, { orderBy: { lastSuccessAtMs: "desc" } });
  return used
    .map((other) => ({ connectionId: other.id, links: links.filter(({ connectionId }) => connectionId === other.id) }))
    .filter((kept) => kept.links.length > 0);
}

/** Of whom an account's templates tell that it is theirs, those that cannot be read too; null when none of them is linked. */
export function keeperOf(kept: KeptLinks[], { templates, unreadable }: Listing): string | null {
  const ids = new Set([...templates, ...unreadable].map(({ id }) => id));
  return kept.find(({ links }) => links.some(({ templateId }) => ids.has(templateId)))?.connectionId ?? null;
}
