import type { ConnectOutcome } from "../../account/connect-account.ts";
import type { IntrospectOutcome } from "../../account/introspect-token.ts";
import type { SwitchOutcome } from "../../account/switch-environment.ts";
import type { Environment } from "../../domain/records.ts";
import type { SaveSettingsOutcome } from "../../shop/save-settings.ts";
import type { TestOutcome } from "../../account/test-credentials.ts";
import type { StatedCredentials } from "../../account/try-credentials.ts";
import type { ShopSettings } from "../../views/settings.ts";

/** The commands that the settings page sends to its action, and the answers. */
export type SettingsRequest =
  | ({ intent: "connect" | "test" } & StatedCredentials)
  | { intent: "disconnect" }
  | { intent: "introspect" }
  /** Of the connection that was asked about. */
  | { intent: "confirm_account"; connectionId: string; same: boolean }
  /** To the account of this environment, which is kept. */
  | { intent: "switch_environment"; environment: Environment }
  | { intent: "save"; revision: number; settings: ShopSettings };

export type SettingsReply =
  | { intent: "connect"; outcome: ConnectOutcome }
  | { intent: "test"; outcome: TestOutcome }
  | { intent: "disconnect"; outcome: { kind: "disconnected" } }
  | { intent: "introspect"; outcome: IntrospectOutcome }
  | { intent: "confirm_account"; outcome: { kind: "answered" | "not_asked" } }
  | { intent: "switch_environment"; outcome: SwitchOutcome }
  | { intent: "save"; outcome: SaveSettingsOutcome };
