import { AsyncLocalStorage, AsyncResource } from "node:async_hooks";
import type { Log, LogFields, Store } from "../ports.ts";

/** What every line of the log says that is written while something goes on: the request that is served, the run of a work item. */
const fields = new AsyncLocalStorage<Readonly<Record<string, string>>>();

/** Runs `work`; what it logs, also later and in what it calls, has these fields and those around it. */
export function withLogFields<T>(more: Readonly<Record<string, string>>, work: () => T): T {
  return fields.run({ ...fields.getStore(), ...more }, work);
}

/** The log with these fields, and with what `more` says of the moment. What a line says itself wins. */
export function logInContext(log: Log, more?: () => Record<string, string>): Log {
  const all = (own: LogFields): LogFields => ({ ...fields.getStore(), ...more?.(), ...own });
  return {
    info: (own, message) => log.info(all(own), message),
    warn: (own, message) => log.warn(all(own), message),
    error: (own, message) => log.error(all(own), message),
  };
}

/** The same store. Transactions stand in a line, and the one before would lend its fields to whoever comes after it. */
export function storeInContext<S extends Store>(store: S): S {
  const { together } = store;
  return {
    ...store,
    transaction: (shop, work) => store.transaction(shop, AsyncResource.bind(work)),
    ...(together && {
      together: (shop, { rows, work }) => together(shop, { rows, work: AsyncResource.bind(work) }),
    }),
  } satisfies S as S;
}
