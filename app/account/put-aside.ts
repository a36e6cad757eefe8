import type { ConnectionRecord } from "../domain/records.ts";
import type { Tables } from "../ports.ts";

/** Whatever else the shop has in use is set aside, with its secrets and its links: nothing is sent over it any more. */
export async function putOthersAside(
  tables: Pick<Tables, "connections">,
  { shop, id }: Pick<ConnectionRecord, "shop" | "id">,
): Promise<void> {
  for (const other of await tables.connections.list({ shop, current: true, id: { not: id } })) {
    const { version, state } = other;
    const left = { current: false, version: version + 1, state: state === "disconnected" ? state : ("aside" as const) };
    await tables.connections.update({ id: other.id }, left);
  }
}
