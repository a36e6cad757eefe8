import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { describe, expect, test } from "vitest";

const root = resolve(import.meta.dirname, "..");
const app = join(root, "app");

/** Packages the domain may import: pure, without input or output. */
const PURE_PACKAGES = ["libphonenumber-js", "@shopify/worldwide", "validate-rfc"];

/** Packages that only adapters may touch (`shopify.server.ts` wires Shopify's own). */
const OUTSIDE_WORLD = ["undici", "bottleneck", "@prisma/client", "@prisma/adapter-libsql", "@libsql/client"];

interface Import {
  from: string;
  to: string;
  typeOnly: boolean;
}

function sourceFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name) && !entry.name.endsWith(".d.ts"))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => !file.includes("/generated/"));
}

function importsOf(file: string): Import[] {
  const source = readFileSync(file, "utf8");
  const found = [...source.matchAll(/^(?:import|export)\s+(type\s+)?(?:[^"';]*?\sfrom\s+)?["']([^"']+)["']/gm)];
  const dynamic = [...source.matchAll(/import\(\s*["']([^"']+)["']\s*\)/g)];
  const place = (target: string) =>
    target.startsWith(".")
      ? relative(app, resolve(dirname(file), target))
      : target.replace(/^((?:@[^/]+\/)?[^/]+).*$/, "$1");
  return [
    ...found.map((match) => ({ from: relative(app, file), to: place(match[2]!), typeOnly: Boolean(match[1]) })),
    ...dynamic.map((match) => ({ from: relative(app, file), to: place(match[1]!), typeOnly: false })),
  ];
}

/** Pages of declarations: one place to read the whole vocabulary beats two halves. */
const DECLARATIONS = ["app/ports.ts", "app/domain/records.ts", "app/adapters/store/table-specs.ts"];

const files = sourceFiles(app);
const imports = files.flatMap(importsOf);

function offences(inside: (from: string) => boolean, allowed: (found: Import) => boolean): string[] {
  return imports
    .filter((found) => inside(found.from) && !allowed(found))
    .map((found) => `${found.from} imports ${found.to}`);
}

const below = (folder: string) => (path: string) => path.startsWith(`${folder}/`);
const isPackage = (path: string) => !path.startsWith("..") && !existsSync(join(app, path));

describe("the direction of imports", () => {
  test("the domain imports itself and pure packages", () => {
    expect(offences(below("domain"), ({ to }) => below("domain")(to) || PURE_PACKAGES.includes(to))).toEqual([]);
  });

  test("the ports import the domain", () => {
    expect(
      offences(
        (from) => from === "ports.ts",
        ({ to }) => below("domain")(to),
      ),
    ).toEqual([]);
  });

  test("use cases and the worker import ports, the domain and each other; no framework, no adapter", () => {
    const inside = (from: string) => below("use-cases")(from) || below("worker")(from);
    expect(offences(inside, ({ to }) => to === "ports.ts" || below("domain")(to) || inside(to))).toEqual([]);
  });

  test("an adapter imports ports, the domain, packages and its own folder", () => {
    for (const folder of readdirSync(join(app, "adapters"))) {
      const own = below(`adapters/${folder}`);
      expect(
        offences(
          own,
          ({ to }) => own(to) || to === "ports.ts" || below("domain")(to) || isPackage(to) || to.includes("generated"),
        ),
      ).toEqual([]);
    }
  });

  test("only services.server.ts constructs adapters", () => {
    const reaching = imports
      .filter(({ from, to, typeOnly }) => below("adapters")(to) && !below("adapters")(from) && !typeOnly)
      .map(({ from }) => from);
    expect(reaching.filter((from) => from !== "services.server.ts")).toEqual([]);
  });

  test("only adapters touch Prisma, undici, libSQL and Bottleneck", () => {
    const touching = imports.filter(({ from, to }) => OUTSIDE_WORLD.includes(to) && !below("adapters")(from));
    expect(touching).toEqual([]);
  });

  test("components take props: no adapter, no route, nothing of the server", () => {
    expect(
      offences(below("components"), ({ to, typeOnly }) => {
        if (isPackage(to)) return !to.startsWith("@remix-run/node");
        if (below("use-cases/views")(to)) return true;
        if (below("use-cases")(to) || to === "ports.ts") return typeOnly;
        return !below("adapters")(to) && !below("routes")(to) && !/\.server(\.ts)?$/.test(to);
      }),
    ).toEqual([]);
  });

  test("views are shapes that pages and use cases share: they import the domain and each other", () => {
    const views = below("use-cases/views");
    expect(offences(views, ({ to, typeOnly }) => views(to) || below("domain")(to) || typeOnly)).toEqual([]);
  });

  test("the app knows nothing of its tests", () => {
    expect(imports.filter(({ to }) => to.startsWith("../test"))).toEqual([]);
  });
});

describe("the shape of the code", () => {
  test("no file is longer than 250 lines", () => {
    const long = files
      .map((file) => ({ file: relative(root, file), lines: readFileSync(file, "utf8").split("\n").length }))
      .filter(({ file, lines }) => lines > 250 && !DECLARATIONS.includes(file));
    expect(long).toEqual([]);
  });

  test("no file hides behind a vague name", () => {
    const vague = files.filter((file) => /(^|[./-])(utils?|helpers?|misc|common|manager)\.tsx?$/.test(file));
    expect(vague.map((file) => relative(root, file))).toEqual([]);
  });

  test("files are kebab-case; a language's file is named by its tag", () => {
    const odd = files
      .map((file) => relative(app, file))
      .filter(
        (file) =>
          !below("routes")(file) &&
          !below("locales")(file) &&
          !/^(?:[a-z0-9-]+\/)*[a-z0-9-]+(?:\.[a-z0-9-]+)*\.tsx?$/.test(file),
      );
    expect(odd).toEqual([]);
  });
});
