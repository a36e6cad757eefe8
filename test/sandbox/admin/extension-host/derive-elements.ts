// Which s-* elements a target may draw, and what of each crosses from the worker: read from Shopify's own type declarations.
// `node derive-elements.ts` writes elements.json; a test compares it with the package.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import type { ElementList, ElementPolicy } from "./protocol.ts";

const PROJECT = join(import.meta.dirname, "../../../..");
const ADMIN = join(PROJECT, "node_modules/@shopify/ui-extensions/build/ts/surfaces/admin");

/** The targets the sandbox's order pages have. */
const TARGETS = [
  "admin.order-details.block.render",
  "admin.order-details.action.render",
  "admin.order-index.selection-action.render",
];

export const ELEMENTS_FILE = join(import.meta.dirname, "elements.json");

/** In JSX only, or ours to handle. */
const NOT_PROPERTIES = ["key", "ref", "children", "slot"];

export function deriveElements(): ElementList {
  const componentsOf = new Map(TARGETS.map((target) => [target, componentFiles(target)]));
  const files = [...new Set([...componentsOf.values()].flat())];
  const program = ts.createProgram(files, {
    noEmit: true,
    skipLibCheck: true,
    strict: true,
    target: ts.ScriptTarget.ESNext,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    jsx: ts.JsxEmit.ReactJSX,
    jsxImportSource: "preact",
    types: [],
  });
  const policies = new Map(files.map((file) => [file, policyOf(program, file)]));
  const of = (paths: string[]) => paths.map((path) => policies.get(path)!.tag).sort();
  return {
    targets: Object.fromEntries([...componentsOf].map(([target, paths]) => [target, of(paths)])),
    elements: Object.fromEntries(
      [...policies.values()].sort((a, b) => a.tag.localeCompare(b.tag)).map(({ tag, policy }) => [tag, policy]),
    ),
  };
}

/** A target's declaration imports the components it may draw, one line each. */
function componentFiles(target: string): string[] {
  const text = readFileSync(join(ADMIN, "targets", `${target}.d.ts`), "utf8");
  return [...text.matchAll(/^import "\.\.\/(components\/\w+\.d\.ts)";/gm)].map(([, file]) => join(ADMIN, file!));
}

function policyOf(program: ts.Program, file: string): { tag: string; policy: ElementPolicy } {
  const source = program.getSourceFile(file);
  const checker = program.getTypeChecker();
  const moduleSymbol = source && checker.getSymbolAtLocation(source);
  const tag = /declare const tagName = ['"](s-[a-z-]+)['"]/.exec(source?.text ?? "")?.[1];
  const props = moduleSymbol && checker.getExportsOfModule(moduleSymbol).find(({ name }) => name.endsWith("JSXProps"));
  if (!tag || !props) throw new Error(`${file} declares no element as the others do`);
  const policy: ElementPolicy = { properties: [], events: [], slots: [] };
  for (const member of checker.getPropertiesOfType(checker.getDeclaredTypeOfSymbol(props))) {
    const { name } = member;
    if (NOT_PROPERTIES.includes(name)) continue;
    if (/^on[A-Z]/.test(name)) policy.events.push(name.slice(2).toLowerCase());
    else if (isContent(member)) policy.slots.push(kebab(name));
    else policy.properties.push(name);
  }
  for (const list of Object.values(policy) as string[][]) list.sort();
  return { tag, policy };
}

/** A property that takes elements is filled through a slot of its name. */
function isContent(member: ts.Symbol): boolean {
  return (member.declarations ?? []).some(
    (declaration) =>
      ts.isPropertySignature(declaration) && /\bComponentChildren\b/.test(declaration.type?.getText() ?? ""),
  );
}

function kebab(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

if (process.argv[1] === import.meta.filename)
  writeFileSync(ELEMENTS_FILE, `${JSON.stringify(deriveElements(), null, 2)}\n`);
