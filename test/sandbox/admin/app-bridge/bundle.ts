import { readFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";

// In order of dependence: a later file uses what an earlier one declares.
const FILES = [
  "members.ts",
  "client/strict.ts",
  "client/channel.ts",
  "client/context.ts",
  "client/id-token.ts",
  "client/authenticated-fetch.ts",
  "client/navigation.ts",
  "client/menu-items.ts",
  "client/title-bar.ts",
  "client/nav-menu.ts",
  "client/save-bar.ts",
  "client/modal.ts",
  "client/toast.ts",
  "client/scopes.ts",
  "client/web-vitals.ts",
  "client/main.ts",
];

const HOST_FILES = ["frame", "question", "save-bar", "navigation", "title-bar", "toast", "main"].map(
  (name) => `host/${name}.ts`,
);

/** The App Bridge as one classic script: it must have run before the page's own scripts do. */
export function appBridgeScript(): string {
  return bundled(FILES);
}

/** The script of the admin's page around the frame. */
export function hostScript(): string {
  return bundled(HOST_FILES);
}

function bundled(files: readonly string[]): string {
  const sources = files.map((file) => plainScript(readFileSync(new URL(file, import.meta.url), "utf8")));
  return `(() => {\n"use strict";\n${sources.join("\n")}\n})();\n`;
}

/** A TypeScript module as script text; its imports must stand on one line each and name files of the same bundle. */
export function plainScript(source: string): string {
  return withoutWarning(() => stripTypeScriptTypes(source))
    .replace(/^import .*;$/gm, "")
    .replace(/^export /gm, "");
}

/**
 * Node prints a warning that stripping types is experimental, at every start. The demo's output is for a shop owner, so it is suppressed.
 */
function withoutWarning<T>(run: () => T): T {
  const { emitWarning } = process;
  process.emitWarning = () => undefined;
  try {
    return run();
  } finally {
    process.emitWarning = emitWarning;
  }
}
