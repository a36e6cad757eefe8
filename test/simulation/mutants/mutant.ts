import type { Network } from "../../../app/adapters/shipping/network.ts";
import type { Settings, ShippingService, ShopifyAdmin, Store } from "../../../app/ports.ts";
import type { VirtualMachine } from "../../fakes/machine.ts";
import type { Pages } from "../story/pages.ts";

/** A deliberate fault in the protocol, made by changed ports or settings. The app's code stays as it is. */
export interface Mutant {
  store?: (store: Store) => Store;
  shipping?: (shipping: ShippingService, store: Store) => ShippingService;
  shopify?: (shopify: ShopifyAdmin, store: Store) => ShopifyAdmin;
  network?: (network: Network) => Network;
  pages?: (pages: Pages, store: Store) => Pages;
  machine?: (machine: VirtualMachine) => VirtualMachine;
  settings?: Partial<Settings>;
  budget?: { openAtOnce?: boolean; graceMs?: number };
}
