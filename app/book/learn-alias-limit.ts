import { shortenedTo } from "../domain/marker.ts";
import type { AddressTemplate } from "../domain/records.ts";
import type { ConnectionRef, Tables } from "../ports.ts";

/**
 * What the answer to a write tells of how many characters of an alias the service keeps, kept for the next one. True when it
 * shortened this one, whose marker it may have cut.
 */
export async function learnAliasLimit(
  tables: Pick<Tables, "connections">,
  { ref, said, answer }: { ref: Pick<ConnectionRef, "id">; said: string | undefined; answer: AddressTemplate },
): Promise<boolean> {
  const limit = said === undefined ? null : shortenedTo(said, answer.alias_name);
  if (limit === null) return false;
  const known = (await tables.connections.find({ id: ref.id }))?.aliasLimit ?? null;
  if (known === null || limit < known) await tables.connections.update({ id: ref.id }, { aliasLimit: limit });
  return true;
}
