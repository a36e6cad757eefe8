import { AppError } from "../../../domain/errors.ts";
import type { Table, Transaction } from "../../../ports.ts";
import { wrapTables } from "./wrap-tables.ts";

type Fields = Record<string, unknown>;
type AnyTable = Table<Fields>;

/**
 * The same tables, which write rows of this shop alone: it is the shop's turn, and nobody else's. A write that names another shop is
 * refused, and one that names none finds no other shop's rows. Reading is free.
 */
export function ofOneShop(shop: string, transaction: Transaction): Transaction {
  const own = <W extends Fields>(name: string, where: W): W => {
    if (where.shop !== undefined && where.shop !== shop) throw foreign(name);
    return { ...where, shop };
  };
  const confined = ({ insert, insertAll, update, delete: remove, ...reads }: AnyTable, name: string): AnyTable => ({
    ...reads,
    insert: async (record) => insert(own(name, record)),
    insertAll: async (records) => insertAll(records.map((record) => own(name, record))),
    update: async (where, patch) => update(own(name, where), patch),
    delete: async (where) => remove(own(name, where)),
  });
  return wrapTables(transaction, {
    table: (table, name) => confined(table as AnyTable, name),
    forgetSessions: (forget) => async (of) => (of === shop ? forget(of) : Promise.reject(foreign("sessions"))),
    takeTemplate: (take) => take,
  });
}

function foreign(table: string): AppError {
  return new AppError({
    kind: "internal",
    message: `store: ${table}: a transaction of one shop writes only rows of that shop`,
  });
}
