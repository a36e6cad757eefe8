import type { ConnectionRef, Tables } from "../ports.ts";

type Ref = Pick<ConnectionRef, "id">;

/** The number of a reading that is kept now, in the same transaction. A write that was planned on one with another number does not go. */
export async function nextReading(tables: Pick<Tables, "connections">, ref: Ref): Promise<number> {
  const readings = (await lastReading(tables, ref)) + 1;
  await tables.connections.update({ id: ref.id }, { readings });
  return readings;
}

/** The number of the account's last reading. */
export async function lastReading(tables: Pick<Tables, "connections">, { id }: Ref): Promise<number> {
  return (await tables.connections.find({ id }))?.readings ?? 0;
}
