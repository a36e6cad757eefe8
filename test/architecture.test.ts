import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { ROOMS } from "../rooms.config.js";

/**
 * The shape of the code. Floors and doors are the table in rooms.config.js, and `npm run lint` refuses an import that the table does not
 * allow. Here the table itself is held to what is there, beside what no table says.
 */

const root = resolve(import.meta.dirname, "..");
const app = join(root, "app");

/** Packages the domain may import: pure, without input or output. */
const PURE_PACKAGES = ["libphonenumber-js", "@shopify/worldwide", "validate-rfc"];

/** The packages between the ports and the routes, each in the one file that may import it: they know no outside world. */
const ONE_FILES = {
  "lru-cache": "readings/cache.ts",
  "csv-parse": "spreadsheet/csv.ts",
  "csv-stringify": "spreadsheet/csv.ts",
};
const isOneFiles = ({ from, to }: Import) => ONE_FILES[to as keyof typeof ONE_FILES] === from;

/** Packages that only adapters may touch (`shopify.server.ts` wires Shopify's own). */
const OUTSIDE_WORLD = ["undici", "bottleneck", "@prisma/client", "@prisma/adapter-libsql", "@libsql/client"];

/** Where a framework may be imported: everywhere else is plain TypeScript on ports. */
const FRAMEWORK = ["(root)", "adapters", "http", "polaris", "i18n", "components", "routes"];

const MOST_FILES = 25;
const MOST_LINES = 250;

interface Import {
  from: string;
  to: string;
  typeOnly: boolean;
}

function sourceFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name) && !entry.name.endsWith(".d.ts"))
    .map((entry) => join(entry.parentPath, entry.name));
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

const files = sourceFiles(app);
const imports = files.flatMap(importsOf);
const below = (folder: string) => (path: string) => path.startsWith(`${folder}/`);
const isPackage = (path: string) => !path.startsWith("..") && !existsSync(join(app, path.replace(/\?.*$/, "")));
const roomOf = (path: string) =>
  ROOMS.find(({ room }) => path === room || path.startsWith(`${room}/`))?.room ?? "(root)";

/** Imports from one room of another. */
const between = imports.filter(
  ({ from, to }) => /\.tsx?$/.test(to) && !to.startsWith("..") && !isPackage(to) && roomOf(from) !== roomOf(to),
);

function offences(inside: (from: string) => boolean, allowed: (found: Import) => boolean): string[] {
  return imports
    .filter((found) => inside(found.from) && !allowed(found))
    .map((found) => `${found.from} imports ${found.to}`);
}

describe("the table of rooms", () => {
  test("names every folder of app/, and no other", () => {
    const folders = readdirSync(app, { withFileTypes: true }).filter((entry) => entry.isDirectory());
    const rooms = ROOMS.map(({ room }) => room).filter((room) => room !== "ports.ts");
    expect(rooms.toSorted()).toEqual(folders.map(({ name }) => name).toSorted());
  });

  test("lets imports go down the floors only", () => {
    const upward = ROOMS.flatMap(({ room, imports: allowed }, floor) =>
      allowed
        .filter((other) => other !== "(root)" && ROOMS.findIndex((each) => each.room === other) >= floor)
        .map((other) => `${room} imports ${other}`),
    );
    expect(upward).toEqual([]);
  });

  test("is what the code does: no arrow is missing, and none is there that no import needs", () => {
    for (const { room, imports: allowed } of ROOMS) {
      const used = new Set(between.filter(({ from }) => roomOf(from) === room).map(({ to }) => roomOf(to)));
      expect([room, ...[...used].toSorted()]).toEqual([room, ...allowed.toSorted()]);
    }
  });

  test("has a door where somebody comes in, and no other", () => {
    for (const { room, doors } of ROOMS) {
      if (doors === "all") continue;
      const used = new Set(between.filter(({ to }) => roomOf(to) === room).map(({ to }) => to.slice(room.length + 1)));
      const names = [...used].map((file) => file.replace(/\.tsx?$/, ""));
      expect([room, ...names.toSorted()]).toEqual([room, ...doors.toSorted()]);
    }
  });
});

describe("the direction of imports", () => {
  test("the domain imports itself and pure packages", () => {
    expect(offences(below("domain"), ({ to }) => below("domain")(to) || PURE_PACKAGES.includes(to))).toEqual([]);
  });

  test("between the ports and the routes there is no framework, and no package but the cache's and those for CSV", () => {
    const inside = (from: string) => !FRAMEWORK.includes(roomOf(from)) && !below("domain")(from);
    expect(offences(inside, (each) => !isPackage(each.to) || isOneFiles(each))).toEqual([]);
  });

  test("one file alone imports each of these packages", () => {
    const importing = imports.filter(({ to }) => to in ONE_FILES).map((each) => isOneFiles(each));
    expect(new Set(importing)).toEqual(new Set([true]));
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

  test("one room imports React Polaris and its icons, so that a move to another library is that room's work", () => {
    const importing = imports.filter(({ to }) => ["@shopify/polaris", "@shopify/polaris-icons"].includes(to));
    expect(importing.length).toBeGreaterThan(0);
    expect(importing.filter(({ from }) => !below("polaris")(from))).toEqual([]);
  });

  test("only adapters touch Prisma, undici, libSQL and Bottleneck", () => {
    const touching = imports.filter(({ from, to }) => OUTSIDE_WORLD.includes(to) && !below("adapters")(from));
    expect(touching).toEqual([]);
  });

  test("components take props: of the rooms below they import views, and types", () => {
    expect(
      offences(below("components"), ({ to, typeOnly }) => {
        if (isPackage(to)) return !to.startsWith("@remix-run/node");
        if (/\.css(\?.*)?$/.test(to)) return true;
        if (/\.server(\.ts)?$/.test(to)) return false;
        return ["components", "views", "domain", "i18n", "polaris"].includes(roomOf(to)) || typeOnly;
      }),
    ).toEqual([]);
  });

  test("views are shapes that pages and rooms share: they import the domain and each other", () => {
    const views = below("views");
    expect(offences(views, ({ to, typeOnly }) => views(to) || below("domain")(to) || typeOnly)).toEqual([]);
  });

  test("the app knows nothing of its tests", () => {
    expect(imports.filter(({ to }) => to.startsWith("../test"))).toEqual([]);
  });
});

/** Folders that runs of the tests and benches leave behind; Git ignores them. */
const LEFT_BEHIND = ["test/e2e/screenshots", "test/bench/results"];

describe("the shape of the code", () => {
  const folders = ["app", "test"].flatMap((top) =>
    readdirSync(join(root, top), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map((entry) => relative(root, join(entry.parentPath, entry.name)))
      .filter((folder) => !folder.includes("/dist") && !LEFT_BEHIND.some((left) => folder.startsWith(left))),
  );

  test(`no folder holds more than ${MOST_FILES} files side by side, but that of the routes`, () => {
    const full = folders
      .filter((folder) => folder !== "app/routes")
      .map((folder) => {
        const inside = readdirSync(join(root, folder), { withFileTypes: true });
        return { folder, files: inside.filter((entry) => entry.isFile() && entry.name !== "README.md").length };
      })
      .filter(({ files: count }) => count > MOST_FILES);
    expect(full).toEqual([]);
  });

  /** README.md in the folder, or a line in the next one above. A folder of tests that mirrors one of the app is explained there. */
  test("every folder has its header", () => {
    const explained = (folder: string): boolean => {
      if (existsSync(join(root, folder, "README.md"))) return true;
      if (folder.startsWith("test/") && existsSync(join(root, folder.replace(/^test/, "app")))) return true;
      for (let above = dirname(folder); above !== "."; above = dirname(above)) {
        const header = join(root, above, "README.md");
        if (!existsSync(header)) continue;
        const text = readFileSync(header, "utf8");
        if (text.includes(`\`${relative(above, folder)}/\``)) return true;
      }
      return ["processes", "support"].includes(basename(folder));
    };
    expect(folders.filter((folder) => !folder.startsWith("app/routes/") && !explained(folder))).toEqual([]);
  });

  /** The routes have none: Remix takes a README among them for a page. */
  test("every room's header says what is not there, and which files others may import", () => {
    const rooms = ROOMS.map(({ room }) => room).filter((room) => room !== "ports.ts" && room !== "routes");
    const vague = rooms.filter((room) => {
      const header = readFileSync(join(app, room, "README.md"), "utf8");
      return !/^Not here: /m.test(header) || !/^Doors: /m.test(header);
    });
    expect(vague).toEqual([]);
  });

  test(`a file of more than ${MOST_LINES} lines says in its header why it is long`, () => {
    const everywhere = ["app", "test", "scripts", "extensions"].flatMap((top) => sourceFiles(join(root, top)));
    const long = everywhere
      .map((file) => ({ file: relative(root, file), source: readFileSync(file, "utf8") }))
      .filter(({ source }) => source.trimEnd().split("\n").length > MOST_LINES && !/^ \* Long, because /m.test(source))
      .map(({ file }) => file);
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
          !below("i18n/locales")(file) &&
          !/^(?:[a-z0-9-]+\/)*[a-z0-9-]+(?:\.[a-z0-9-]+)*\.tsx?$/.test(file),
      );
    expect(odd).toEqual([]);
  });
});
