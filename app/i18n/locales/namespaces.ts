import type { AppProviderProps } from "../../polaris/polaris.ts";

/** All messages of one language. */
export interface LanguageResources {
  /** Namespace to messages. */
  messages: Record<string, object>;
  /** Polaris's own messages. */
  polaris: NonNullable<AppProviderProps["i18n"]>;
}

/** `{"./en/home.json": …}` → `{home: …}` */
export function byNamespace(files: Record<string, object>): Record<string, object> {
  return Object.fromEntries(
    Object.entries(files).map(([path, messages]) => [path.replace(/^.*\/|\.json$/g, ""), messages]),
  );
}
