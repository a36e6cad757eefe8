import type { Tables, Transaction } from "../../../ports.ts";

/** How a transaction's parts are wrapped. */
interface Wrap {
  table: (table: unknown, name: string) => unknown;
  forgetSessions: (forget: Transaction["forgetSessions"]) => Transaction["forgetSessions"];
  takeTemplate: (take: Transaction["takeTemplate"]) => Transaction["takeTemplate"];
}

/** The same transaction in a wrap. A table is wrapped when it is first used: there are many, and a transaction uses few. */
export function wrapTables(transaction: Transaction, wrap: Wrap): Transaction {
  const forgetSessions = wrap.forgetSessions(transaction.forgetSessions);
  const takeTemplate = wrap.takeTemplate(transaction.takeTemplate);
  const wrapped = new Map<PropertyKey, unknown>();
  return new Proxy(transaction, {
    get(tables, name) {
      if (name === "forgetSessions") return forgetSessions;
      if (name === "takeTemplate") return takeTemplate;
      const table = tables[name as keyof Tables] as unknown;
      if (table === undefined || typeof name === "symbol") return table;
      if (!wrapped.has(name)) wrapped.set(name, wrap.table(table, name));
      return wrapped.get(name);
    },
  });
}
