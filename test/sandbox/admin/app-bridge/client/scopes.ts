import { ask } from "./channel.ts";

interface ScopesDetail {
  granted: string[];
  required: string[];
  optional: string[];
}

/** The app's scopes in this store; a request opens the admin's dialog, and only declared optional scopes may be asked for. */
export const scopes = {
  query: () => ask<ScopesDetail>("scopes.query"),
  request: (wanted: string[]) =>
    ask<{ result: "granted-all" | "declined-all"; detail: ScopesDetail }>("scopes.request", wanted),
  revoke: (unwanted: string[]) => ask<{ detail: ScopesDetail }>("scopes.revoke", unwanted),
};
