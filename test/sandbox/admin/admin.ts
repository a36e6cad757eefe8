import type { AccessTokens } from "./access-tokens.ts";
import type { AdminFaults } from "./faults.ts";
import type { Flow } from "./flow.ts";
import type { FlowTriggers } from "./flow-triggers.ts";
import type { Throttle } from "./graphql/throttle.ts";
import type { Locations } from "./locations.ts";
import type { Control } from "../shipping/control.ts";
import type { AdminState } from "./state.ts";
import type { Webhooks } from "./webhooks.ts";

/** What the control interface needs of the shipping stand-in. */
export type ShippingControl = Pick<
  Control,
  "report" | "faults" | "templates" | "allTemplates" | "editTemplate" | "configure" | "goDown" | "comeUp"
>;

/** What the routes of the admin share. */
export interface Admin {
  state: AdminState;
  tokens: AccessTokens;
  webhooks: Webhooks;
  flow: Flow;
  flowTriggers: FlowTriggers;
  locations: Locations;
  throttle: Throttle;
  faults: AdminFaults;
  settings: {
    appUrl: string;
    locale: string;
    /** The language is that of the visitor's browser, until a visitor chooses one. */
    followsVisitor: boolean;
    /** Called with what the app's server was shown of a store, when it is answered. */
    onAnswer: (answer: { shop: string; atMs: number; variables: Record<string, unknown>; data: unknown }) => void;
  };
  shipping: ShippingControl | undefined;
  /** Replaces shopify.app.toml, as a deploy does. */
  deploy(tomlText: string): void;
}
