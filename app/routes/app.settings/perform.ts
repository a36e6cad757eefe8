import type { SettingsReply, SettingsRequest } from "../../components/settings/settings-actions.ts";
import type { Services } from "../../ports.ts";
import { confirmAccount } from "../../account/confirm-account.ts";
import { connectAccount } from "../../account/connect-account.ts";
import { disconnectAccount } from "../../account/disconnect-account.ts";
import { introspectToken } from "../../account/introspect-token.ts";
import { switchEnvironment } from "../../account/switch-environment.ts";
import { testCredentials } from "../../account/test-credentials.ts";
import { saveSettings } from "../../shop/save-settings.ts";

/** The commands of the settings page, one call each; null when what they name is not the shop's. */
export async function perform(
  services: Services,
  { shop, asked }: { shop: string; asked: SettingsRequest },
): Promise<SettingsReply | null> {
  switch (asked.intent) {
    case "connect": {
      const { intent, ...stated } = asked;
      return { intent, outcome: await connectAccount(services, { shop, stated }) };
    }
    case "test": {
      const { intent, ...stated } = asked;
      return { intent, outcome: await testCredentials(services, { shop, stated }) };
    }
    case "disconnect":
      await disconnectAccount(services, { shop });
      return { intent: "disconnect", outcome: { kind: "disconnected" } };
    case "introspect":
      return { intent: "introspect", outcome: await introspectToken(services, { shop }) };
    case "confirm_account": {
      const { intent, connectionId, same } = asked;
      const isAsked = await confirmAccount(services, { shop, connectionId, same });
      return { intent, outcome: { kind: isAsked ? "answered" : "not_asked" } };
    }
    case "switch_environment": {
      const { intent, environment } = asked;
      return { intent, outcome: await switchEnvironment(services, { shop, environment }) };
    }
    case "save": {
      const { revision, settings } = asked;
      const outcome = await saveSettings(services, { shop, revision, settings });
      return outcome.kind === "not_found" ? null : { intent: "save", outcome };
    }
  }
}
