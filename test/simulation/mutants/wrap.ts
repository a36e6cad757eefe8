import type { ShippingAccount, ShippingService, Store, Table, Tables } from "../../../app/ports.ts";

/** Ways to change a port from the outside. */

export function withTables(change: (tables: Tables) => Partial<Tables>): (store: Store) => Store {
  return (store) => ({
    ...store,
    ...change(store),
    transaction: (shop, work) => store.transaction(shop, (tables) => work({ ...tables, ...change(tables) })),
  });
}

export function withAccount(change: (account: ShippingAccount, store: Store) => ShippingAccount) {
  return (shipping: ShippingService, store: Store): ShippingService => ({
    ...shipping,
    account: (connection) => change(shipping.account(connection), store),
  });
}

/** The table, with each record changed when it is read. */
export function reading<R>(table: Table<R>, change: (record: R) => R): Table<R> {
  return {
    ...table,
    find: async (where) => {
      const found = await table.find(where);
      return found && change(found);
    },
    list: async (where, options) => (await table.list(where, options)).map(change),
  };
}
