import { json } from "@remix-run/node";
import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { CONTACT_FIELDS } from "../domain/address/form-fields.ts";
import type { SettingsReply } from "../components/settings/settings-actions.ts";
import { SettingsPage } from "../components/settings/settings-page.tsx";
import { carrierNames, found, readIntent } from "../http/request-input.ts";
import { services } from "../services.server.ts";
import { authenticate } from "../shopify.server.ts";
import { confirmAccount } from "../account/confirm-account.ts";
import { connectAccount } from "../account/connect-account.ts";
import { disconnectAccount } from "../account/disconnect-account.ts";
import { introspectToken } from "../account/introspect-token.ts";
import { readSettings } from "../pages/read-settings.ts";
import { saveSettings } from "../shop/save-settings.ts";
import { testCredentials } from "../account/test-credentials.ts";

export async function loader({ request }: LoaderFunctionArgs) {
  const { session } = await authenticate.admin(request);
  return json(found(await readSettings(services, { shop: session.shop })));
}

export async function action({ request }: ActionFunctionArgs) {
  const { session } = await authenticate.admin(request);
  return json(await answer(session.shop, await readIntent(request, input)));
}

export default function Settings() {
  return <SettingsPage view={useLoaderData<typeof loader>()} />;
}

const optionalText = z.string().max(10_000).nullable();
const credentials = {
  environment: z.enum(["test", "production"]),
  clientId: optionalText,
  clientSecret: optionalText,
  scope: optionalText,
  redirectUri: optionalText,
};
const departedRule = z.enum(["keep", "unlink", "delete"]);

const input = z.discriminatedUnion("intent", [
  z.object({ intent: z.literal("connect"), ...credentials }),
  z.object({ intent: z.literal("test"), ...credentials }),
  z.object({ intent: z.literal("disconnect") }),
  z.object({ intent: z.literal("introspect") }),
  z.object({ intent: z.literal("confirm_account"), same: z.boolean() }),
  z.object({
    intent: z.literal("save"),
    revision: z.number().int(),
    settings: z.object({
      language: z.enum(["en", "es-MX"]).nullable(),
      contact: z.record(z.enum(CONTACT_FIELDS), optionalText),
      policies: z.object({
        syncOn: z.boolean(),
        locations: z.enum(["online", "all_active", "by_hand"]),
        verifyAfterChange: z.boolean(),
        carriers: carrierNames,
        onDeactivate: departedRule,
        onDelete: departedRule,
        defaultLocationId: z.string().max(100).nullable(),
        aliasPattern: z.string().trim().min(1).max(500),
      }),
    }),
  }),
]);

async function answer(shop: string, asked: z.infer<typeof input>): Promise<SettingsReply> {
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
    case "confirm_account":
      await confirmAccount(services, { shop, same: asked.same });
      return { intent: "confirm_account", outcome: { kind: "answered" } };
    case "save": {
      const { revision, settings } = asked;
      return { intent: "save", outcome: await saveSettings(services, { shop, revision, settings }) };
    }
  }
}
