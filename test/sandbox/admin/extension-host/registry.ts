import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "smol-toml";
import * as z from "zod";
import type { ExtensionView, LinkView } from "./protocol.ts";

/** The app's extensions as a deploy would upload them: their toml, their words, their places. */

const shape = z.object({
  api_version: z.string(),
  extensions: z.array(
    z.object({
      name: z.string(),
      handle: z.string(),
      type: z.enum(["ui_extension", "admin_link"]),
      targeting: z.array(
        z.object({
          target: z.string(),
          module: z.string().optional(),
          should_render: z.object({ module: z.string() }).optional(),
          text: z.string().optional(),
          url: z.string().optional(),
        }),
      ),
    }),
  ),
});

export interface Registry {
  extensions: ExtensionView[];
  links: LinkView[];
  words: Record<string, object>;
}

/** Where the admin serves an extension's bundle. */
const bundlePath = (handle: string, file: string): string => `/extension-host/bundles/${handle}/${file}.js`;

/** @throws when a toml is not what the CLI takes, or a name has no translation. */
export function readRegistry(folder: string, locale: string): Registry {
  const registry: Registry = { extensions: [], links: [], words: {} };
  for (const name of readdirSync(folder)) {
    const toml = join(folder, name, "shopify.extension.toml");
    const text = existsSync(toml) ? readFileSync(toml, "utf8") : null;
    // Flow's extensions have no place on a page (`../flow.ts`).
    if (text !== null && !/type = "flow_/.test(text))
      addTo(registry, { folder: join(folder, name), toml: text, locale });
  }
  return registry;
}

function addTo(registry: Registry, { folder, toml, locale }: { folder: string; toml: string; locale: string }): void {
  const words = wordsOf(folder, locale);
  const say = (text: string): string => {
    if (!text.startsWith("t:")) return text;
    const found = words[text.slice(2)];
    if (typeof found !== "string") throw new Error(`${folder} has no text "${text}" in ${locale}`);
    return found;
  };
  for (const { handle, name, type, targeting } of shape.parse(parse(toml)).extensions) {
    registry.words[handle] = words;
    for (const { target, should_render, text, url } of targeting) {
      if (type === "admin_link") registry.links.push({ target, text: say(text ?? name), url: url ?? "" });
      else {
        const condition = should_render ? bundlePath(handle, `${handle}-conditions`) : null;
        registry.extensions.push({ handle, name: say(name), target, script: bundlePath(handle, handle), condition });
      }
    }
  }
}

/** The admin's language, or the extension's default. */
function wordsOf(folder: string, locale: string): Record<string, unknown> {
  const files = readdirSync(join(folder, "locales"));
  const file =
    files.find((one) => one.replace(/(\.default)?\.json$/, "") === locale) ??
    files.find((one) => one.endsWith(".default.json"));
  if (!file) throw new Error(`${folder} has no default locale`);
  return JSON.parse(readFileSync(join(folder, "locales", file), "utf8")) as Record<string, unknown>;
}
