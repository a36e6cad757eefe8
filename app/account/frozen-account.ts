import type { ConnectionRecord } from "../domain/records.ts";
import type { Tables } from "../ports.ts";

/**
 * The account of the other environment, which its owner can take up again: of those set aside there the one used last. Null while none is
 * kept. What an owner disconnected has no secret any more, and has to be connected anew.
 */
export async function frozenAccount(
  tables: Pick<Tables, "connections">,
  { shop, environment }: Pick<ConnectionRecord, "shop" | "environment">,
): Promise<ConnectionRecord | null> {
  const other = environment === "test" ? "production" : "test";
  const aside = { shop, environment: other, state: "aside", current: false } as const;
  const kept = await tables.connections.list(aside, { orderBy: { lastSuccessAtMs: "desc" } });
  return kept.find(({ clientSecret }) => clientSecret !== null) ?? null;
}
