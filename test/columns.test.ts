import { join } from "node:path";
import ts from "typescript";
import { expect, test } from "vitest";

/**
 * A column that the app writes and never reads is dead. The linter sees unused exports and no columns, so this asks the compiler: for each
 * field of each record that `Tables` in app/ports.ts keeps, is there a line of the app that reads it?
 *
 * Read is: `record.field`, a field taken out of a record (`const { field } = record`), or a condition of a call to the store. The store
 * itself does not count, for it copies every column; nor does `worker/stamps.ts`, which moves each time back by its name.
 */

const root = join(import.meta.dirname, "..");

/** The functions of `Table` whose first argument is a condition. */
const WITH_CONDITION = ["find", "list", "count", "update", "delete"];

const NOT_LOOKED_FOR: ts.ResolvedModuleWithFailedLookupLocations = { resolvedModule: undefined };

function appProgram(): ts.Program {
  const { config } = ts.readConfigFile(join(root, "tsconfig.json"), (file) => ts.sys.readFile(file)) as {
    config: object;
  };
  const { fileNames, options } = ts.parseJsonConfigFileContent(config, ts.sys, root);
  const own = { ...options, types: [] };
  const host = ts.createCompilerHost(own);
  // Records, tables and all that reads them are the app's own. The packages' declarations are ten times as much to read.
  host.resolveModuleNameLiterals = (literals, from) =>
    literals.map(({ text }) => (text.startsWith(".") ? ts.resolveModuleName(text, from, own, host) : NOT_LOOKED_FOR));
  return ts.createProgram(
    fileNames.filter((file) => file.startsWith(join(root, "app/"))),
    own,
    host,
  );
}

/** The declaration of each column's field, with its name as `table.field`. */
function columnsOf(program: ts.Program): Map<ts.Declaration, string> {
  const checker = program.getTypeChecker();
  const ports = program.getSourceFile(join(root, "app/ports.ts"))!;
  const tables = ports.statements.filter(ts.isInterfaceDeclaration).find(({ name }) => name.text === "Tables")!;
  const columns = new Map<ts.Declaration, string>();
  for (const member of tables.members.filter(ts.isPropertySignature)) {
    const [record] = (member.type as ts.TypeReferenceNode).typeArguments!;
    for (const field of checker.getTypeFromTypeNode(record!).getProperties())
      for (const declaration of field.declarations ?? [])
        columns.set(declaration, `${member.name.getText()}.${field.name}`);
  }
  return columns;
}

const isAssigned = (node: ts.PropertyAccessExpression) =>
  ts.isBinaryExpression(node.parent) &&
  node.parent.left === node &&
  node.parent.operatorToken.kind === ts.SyntaxKind.EqualsToken;

/** The declarations of all that is read in a file. */
function* readIn(file: ts.SourceFile, checker: ts.TypeChecker): Generator<ts.Declaration> {
  const of = (symbol: ts.Symbol | undefined) => symbol?.declarations ?? [];
  const nodes: ts.Node[] = [file];
  for (let node = nodes.pop(); node; node = nodes.pop()) {
    ts.forEachChild(node, (child) => void nodes.push(child));
    if (ts.isPropertyAccessExpression(node) && !isAssigned(node)) yield* of(checker.getSymbolAtLocation(node.name));
    if (ts.isObjectBindingPattern(node)) {
      const type = checker.getTypeAtLocation(node);
      for (const { propertyName, name } of node.elements) yield* of(type.getProperty((propertyName ?? name).getText()));
    }
    if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) continue;
    const condition = node.arguments[0];
    if (!condition || !WITH_CONDITION.includes(node.expression.name.text)) continue;
    const taken = checker.getContextualType(condition);
    const named = checker.getTypeAtLocation(condition).getProperties();
    // A variable that may hold any condition names all fields, and so none.
    if (named.length === taken?.getProperties().length) continue;
    for (const { name } of named) yield* of(taken?.getProperty(name));
  }
}

test("every column is read somewhere in the app", () => {
  const program = appProgram();
  const columns = columnsOf(program);
  const unread = new Set(columns.values());
  for (const file of program.getSourceFiles()) {
    if (!file.fileName.startsWith(join(root, "app/")) || /\/adapters\/store\//.test(file.fileName)) continue;
    for (const declaration of readIn(file, program.getTypeChecker())) unread.delete(columns.get(declaration) ?? "");
  }
  expect(columns.size).toBeGreaterThan(150);
  expect([...unread].toSorted()).toEqual([]);
});
