import { readFileSync } from "node:fs";
import ts from "typescript";
import { expect, test } from "vitest";
import { GLOBAL_MEMBERS, INTERFACE_MEMBERS } from "../admin/app-bridge/members.ts";

const file = "node_modules/@shopify/app-bridge-types/dist/index.d.ts";
const source = ts.createSourceFile(file, readFileSync(file, "utf8"), ts.ScriptTarget.Latest);

function membersOf(name: string): string[] {
  const declaration = source.statements.find((one) => ts.isInterfaceDeclaration(one) && one.name.text === name);
  if (!declaration || !ts.isInterfaceDeclaration(declaration)) throw new Error(`${name} is not in ${file}`);
  return declaration.members.map((member) => (member.name && ts.isIdentifier(member.name) ? member.name.text : ""));
}

test("the App Bridge of the sandbox has what Shopify's types have, and no more", () => {
  expect(GLOBAL_MEMBERS.toSorted()).toEqual(membersOf("ShopifyGlobal").toSorted());
  for (const [name, members] of Object.entries(INTERFACE_MEMBERS)) {
    expect([name, members.toSorted()]).toEqual([name, membersOf(name).toSorted()]);
  }
});
