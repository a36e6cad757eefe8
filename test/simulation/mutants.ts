import type { Settings, ShippingService, Store } from "../../app/ports.ts";

/** A deliberate fault in the protocol, made from the outside: other ports, other settings. The code is not touched. */
export interface Mutant {
  store?: (store: Store) => Store;
  shipping?: (shipping: ShippingService, store: Store) => ShippingService;
  settings?: Partial<Settings>;
  budget?: { openAtOnce?: boolean; graceMs?: number };
}
