import { join, relative } from "node:path";
import ts from "typescript";

/** The exported functions of app/domain, with arguments that their types allow. */

const root = join(import.meta.dirname, "../..");
export const DOMAIN = join(root, "app/domain");

/** What is read as it would come: every text in it is `text`, every number `number`. */
export interface Filling {
  text: string;
  number: number;
}

type Make = (filling: Filling) => unknown;

export interface ExportedFunction {
  /** Relative to app/domain. */
  file: string;
  name: string;
  /** Whether a text of any length can stand anywhere in its arguments. */
  takesText: boolean;
  takesNumber: boolean;
  argumentsOf: (filling: Filling) => unknown[];
}

/** What is made otherwise than a type says. */
export interface Makers {
  /** By a type's name: values whose parts have to fit each other, or that only a function makes. */
  types: ReadonlyMap<string, Make>;
  /** By a field's or a parameter's name: texts that have to be a word of the code, so that all of a function is reached. */
  names: ReadonlyMap<string, string>;
}

const NOT_LOOKED_FOR: ts.ResolvedModuleWithFailedLookupLocations = { resolvedModule: undefined };
/** A record in a record in a record; deeper than this a type only repeats itself. */
const DEEPEST = 8;

export function exportedFunctions(makers: Makers): ExportedFunction[] {
  const program = domainProgram();
  const checker = program.getTypeChecker();
  const found: ExportedFunction[] = [];
  for (const source of program.getSourceFiles()) {
    const module = source.fileName.startsWith(DOMAIN) && checker.getSymbolAtLocation(source);
    if (!module) continue;
    const file = relative(DOMAIN, source.fileName);
    for (const symbol of checker.getExportsOfModule(module)) {
      const own = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
      // A name that is exported a second time is its first file's.
      if (!(own.flags & ts.SymbolFlags.Value) || own.declarations?.[0]?.getSourceFile() !== source) continue;
      const [signature] = checker.getTypeOfSymbol(own).getCallSignatures();
      if (signature) found.push({ file, name: symbol.name, ...argumentsFor(signature, { checker, makers }) });
    }
  }
  return found;
}

function domainProgram(): ts.Program {
  const { config } = ts.readConfigFile(join(root, "tsconfig.json"), (path) => ts.sys.readFile(path)) as {
    config: object;
  };
  const { fileNames, options } = ts.parseJsonConfigFileContent(config, ts.sys, root);
  // Without the browser's declarations, the largest of all.
  const own = { ...options, types: [], lib: ["lib.esnext.d.ts"] };
  const host = ts.createCompilerHost(own);
  // What the domain's functions take is the domain's own. The packages' declarations are many times as much to read.
  host.resolveModuleNameLiterals = (literals, from) =>
    literals.map(({ text }) => (text.startsWith(".") ? ts.resolveModuleName(text, from, own, host) : NOT_LOOKED_FOR));
  return ts.createProgram(
    fileNames.filter((file) => file.startsWith(DOMAIN)),
    own,
    host,
  );
}

interface Making {
  checker: ts.TypeChecker;
  makers: Makers;
}

function argumentsFor(signature: ts.Signature, making: Making) {
  const has = { text: false, number: false };
  const parameters = signature.getParameters().map((parameter) => {
    const type = making.checker.getTypeOfSymbol(parameter);
    return named(parameter, maker(type, { ...making, has, depth: 0 }), making);
  });
  return {
    takesText: has.text,
    takesNumber: has.number,
    argumentsOf: (filling: Filling) => parameters.map((make) => make(filling)),
  };
}

interface Within extends Making {
  /** What was found in the type so far. */
  has: { text: boolean; number: boolean };
  depth: number;
}

function maker(type: ts.Type, within: Within): Make {
  const { checker, makers, has, depth } = within;
  const own = makers.types.get(type.aliasSymbol?.name ?? type.symbol?.name ?? "");
  if (own) {
    has.text = true;
    return own;
  }
  const { flags } = type;
  if (type.isLiteral()) return () => type.value;
  if (flags & ts.TypeFlags.BooleanLike) return () => true;
  if (flags & ts.TypeFlags.NumberLike) {
    has.number = true;
    return ({ number }) => number;
  }
  if (flags & ts.TypeFlags.BigIntLike) return ({ number }) => BigInt(number);
  if (flags & (ts.TypeFlags.Null | ts.TypeFlags.Undefined | ts.TypeFlags.Void)) return () => null;
  if (type.isUnion()) return maker(fullest(type), within);
  // `unknown` may be a text, and a type parameter may be anything that it extends.
  const constraint = flags & ts.TypeFlags.TypeParameter ? checker.getBaseConstraintOfType(type) : undefined;
  if (constraint && !(constraint.flags & ts.TypeFlags.Unknown)) return maker(constraint, within);
  if (!(flags & (ts.TypeFlags.Object | ts.TypeFlags.Intersection))) {
    has.text = true;
    return ({ text }) => text;
  }
  return depth > DEEPEST ? () => null : objectMaker(type, { ...within, depth: depth + 1 });
}

function named({ name }: ts.Symbol, make: Make, { makers }: Making): Make {
  const word = makers.names.get(name);
  return word === undefined ? make : () => word;
}

/** The member of a union in which a text can stand, or the first that is not nothing. */
function fullest({ types }: ts.UnionType): ts.Type {
  const nothing = ts.TypeFlags.Null | ts.TypeFlags.Undefined;
  const some = types.filter(({ flags }) => !(flags & nothing));
  return some.find(({ flags }) => flags & ts.TypeFlags.String) ?? some[0] ?? types[0]!;
}

function objectMaker(type: ts.Type, within: Within): Make {
  const { checker } = within;
  const [first, second] = checker.isTupleType(type) ? [] : checker.getTypeArguments(type as ts.TypeReference);
  const part = (of: ts.Type) => maker(of, within);
  if (checker.isTupleType(type)) {
    const parts = checker.getTypeArguments(type as ts.TypeReference).map(part);
    return (filling) => parts.map((make) => make(filling));
  }
  const name = type.symbol?.name ?? "";
  if (first && (checker.isArrayType(type) || name === "Iterable")) {
    const make = part(first);
    return (filling) => [make(filling), make(filling)];
  }
  if (first && second && /^(?:Readonly)?Map$/.test(name)) {
    const [key, value] = [part(first), part(second)];
    return (filling) => new Map([[key(filling), value(filling)]]);
  }
  if (first && /^(?:Readonly)?Set$/.test(name)) {
    const make = part(first);
    return (filling) => new Set([make(filling)]);
  }
  const [call] = type.getCallSignatures();
  if (call) {
    const result = part(call.getReturnType());
    return (filling) => () => result(filling);
  }
  const fields = type
    .getProperties()
    .map((field) => [field.name, named(field, part(checker.getTypeOfSymbol(field)), within)] as const);
  const indexed = type.getStringIndexType();
  if (indexed && fields.length === 0) {
    const value = part(indexed);
    within.has.text = true;
    return (filling) => ({ [filling.text]: value(filling) });
  }
  return (filling) => Object.fromEntries(fields.map(([field, make]) => [field, make(filling)]));
}
