import type { ConnectOutcome } from "../../use-cases/connect-account.ts";
import type { IntrospectOutcome } from "../../use-cases/introspect-token.ts";
import type { SaveSettingsOutcome } from "../../use-cases/save-settings.ts";
import type { TestOutcome } from "../../use-cases/test-credentials.ts";
import type { StatedCredentials } from "../../use-cases/try-credentials.ts";
import type { ShopSettings } from "../../use-cases/views/settings.ts";

/** What the settings page may ask of its action, and what comes back. */
export type SettingsRequest =
  | ({ intent: "connect" | "test" } & StatedCredentials)
  | { intent: "disconnect" }
  | { intent: "introspect" }
  | { intent: "confirm_account"; same: boolean }
  | { intent: "save"; revision: number; settings: ShopSettings };

export type SettingsReply =
  | { intent: "connect"; outcome: ConnectOutcome }
  | { intent: "test"; outcome: TestOutcome }
  | { intent: "disconnect"; outcome: { kind: "disconnected" } }
  | { intent: "introspect"; outcome: IntrospectOutcome }
  | { intent: "confirm_account"; outcome: { kind: "answered" } }
  | { intent: "save"; outcome: SaveSettingsOutcome };
