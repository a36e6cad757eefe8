import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { expect, test } from "vitest";
import { ROOMS } from "../rooms.config.js";

const root = join(import.meta.dirname, "..");
const read = (file: string) => readFileSync(join(root, file), "utf8");

/** README, SECURITY and everything below docs/, from the root. */
const documents = [
  "README.md",
  "SECURITY.md",
  ...readdirSync(join(root, "docs"), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".md"))
    .map((file) => join("docs", file)),
];

test("every link from a document to a file leads to one", () => {
  const dead = documents.flatMap((document) =>
    [...read(document).matchAll(/\]\((?!https?:)([^)#\s]+)(?:#[^)]*)?\)/g)]
      .map((match) => relative(root, join(root, dirname(document), match[1]!)))
      .filter((target) => !existsSync(join(root, target)))
      .map((target) => `${document}: ${target}`),
  );
  expect(documents.length).toBeGreaterThan(5);
  expect(dead).toEqual([]);
});

test("every link to a heading leads to one", () => {
  const slugs = (document: string) =>
    [...read(document).matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
      heading!
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N} -]/gu, "")
        .replaceAll(" ", "-"),
    );
  const links = documents.flatMap((document) =>
    [...read(document).matchAll(/\]\((?!https?:)([^)#\s]*)#([^)]+)\)/g)].map(([, file, slug]) => ({
      document,
      target: file ? relative(root, join(root, dirname(document), file)) : document,
      slug: slug!,
    })),
  );
  expect(links.length).toBeGreaterThan(3);
  expect(links.filter(({ target, slug }) => !slugs(target).includes(slug))).toEqual([]);
});

test("the list of decisions is the folder of decisions, numbered without a gap", () => {
  const files = readdirSync(join(root, "docs/decisions")).filter((file) => file !== "README.md");
  const listed = [...read("docs/decisions/README.md").matchAll(/^\| \d{4} \| \[.*\]\((.+)\)/gm)].map((row) => row[1]!);
  expect(listed).toEqual(files.sort());
  expect(files.map((file) => Number(file.slice(0, 4)))).toEqual(files.map((_, index) => index + 1));
});

/** Comments and documents that cite a numbered heading: `docs/shipping-interface.md, 4.3`, `docs/design/README.md, rule 4`. */
const citing = ["app", "test", "extensions/order-origin/src", "extensions/order-list/src"].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((file) => /\.(tsx?|md)$/.test(file))
    .map((file) => join(folder, file)),
);

test("what a comment cites is a heading of a document", () => {
  const headings = (document: string) =>
    [...read(document).matchAll(/^#+ (\d+(?:\.\d+)?)\.? /gm)].map((heading) => heading[1]!);
  const cited = citing.flatMap((file) =>
    [
      ...read(file).matchAll(/(docs\/[\w/-]+\.md), (?:rule )?(\d+(?:\.\d+)?)(?:(?: to| and|,) (\d+(?:\.\d+)?))?/g),
    ].flatMap(([, document, ...numbers]) =>
      numbers.filter(Boolean).map((number) => ({ file, document: document!, number: number! })),
    ),
  );
  expect(cited.length).toBeGreaterThan(30);
  expect(cited.filter(({ document, number }) => !headings(document).includes(number))).toEqual([]);
});

test("no comment cites a document that is not here", () => {
  const here = join("test", "docs.test.ts");
  const vague = citing.filter((file) => file !== here && /\bDESIGN\b|\b[Ss]ections? \d/.test(read(file)));
  expect(vague).toEqual([]);
});

/** What documents about the code name in code's letters, but for the glossary's last column, which is other people's words. */
const namedIn = (document: string) =>
  [
    ...read(document)
      .replaceAll(/^(\|.*\|)[^|]*\|$/gm, "$1")
      .matchAll(/`([^`]+)`/g),
  ].map((match) => match[1]!);

test("files and folders that the design and its glossary name are there", () => {
  const named = documents.filter((document) => document.startsWith("docs/design/")).flatMap(namedIn);
  const places = named.filter(
    (name) => /^[\w./$-]+(\.tsx?|\.md|\/)$/.test(name) || /^(app|test|docs|extensions)\//.test(name),
  );
  const isThere = (name: string) => existsSync(join(root, name)) || citing.some((file) => file.endsWith(`/${name}`));
  expect(places.length).toBeGreaterThan(50);
  expect(places.filter((name) => !isThere(name))).toEqual([]);
});

test("docs/design/ways.md goes from file to file as the code does, down the floors, in at most 14 files", () => {
  const floors = ROOMS.map(({ room }) => room);
  const ways = read("docs/design/ways.md")
    .split(/^## /m)
    .map((section) => [...section.matchAll(/^\| \d+ \| `(.+?)` \| .+ \| (.+) \|$/gm)])
    .map((rows) =>
      rows.map(([, file, floor]) => ({
        file: file!,
        room: floor!.split(",")[0]!,
        through: floor!.includes(", through"),
      })),
    )
    .filter((rows) => rows.length > 0);
  expect(ways).toHaveLength(2);
  for (const way of ways) {
    expect(way.length).toBeLessThanOrEqual(14);
    expect(way.filter(({ file, room }) => !file.startsWith(`app/${room}/`))).toEqual([]);
    const steps = way.slice(1).map((to, index) => ({ from: way[index]!, to }));
    const untrue = steps
      .filter(({ to }) => !to.through)
      .filter(({ from, to }) => {
        const isImported = read(from.file).includes(`/${basename(to.file)}"`);
        return !isImported || floors.indexOf(to.room) > floors.indexOf(from.room);
      });
    expect(untrue).toEqual([]);
  }
});

test("names in the glossary and in ways.md are names in the code", () => {
  const code = citing.filter((file) => /\.tsx?$/.test(file) && file !== join("test", "docs.test.ts"));
  const words = new Set(code.flatMap((file) => read(file).match(/\w+/g) ?? []));
  const names = ["docs/design/glossary.md", "docs/design/ways.md"]
    .flatMap(namedIn)
    .filter((name) => /^\w+(\.\w+)?$/.test(name) && !/\.tsx?$/.test(name));
  expect(names.length).toBeGreaterThan(30);
  expect(names.filter((name) => !name.split(".").every((word) => words.has(word)))).toEqual([]);
});

test("docs/commands.md names every command, and no other", () => {
  const { scripts } = JSON.parse(read("package.json")) as { scripts: Record<string, string> };
  const named = [...read("docs/commands.md").matchAll(/^\| (.+?) \|/gm)].flatMap(([, cell]) =>
    [...cell!.matchAll(/npm (?:run )?([\w:-]*\w)/g)].map((match) => match[1]!),
  );
  expect([...new Set(named)].sort()).toEqual(Object.keys(scripts).sort());
  const inReadme = [...read("README.md").matchAll(/(?:`|^|&& )npm (?:run )?([\w:]+)/gm)].map((match) => match[1]!);
  expect(inReadme.filter((name) => !(name in scripts) && name !== "ci")).toEqual([]);
});

test("README's map is the tree, two levels deep", () => {
  const map = read("README.md").split("## The map")[1]!.split("```")[1]!.trim().split("\n");
  let folder = "";
  const drawn = map.map((line) => {
    const name = line.trim().split(" ")[0]!;
    if (!line.startsWith(" ")) folder = name;
    return line.startsWith(" ") ? folder + name : name;
  });
  const ignored = read(".gitignore").split("\n");
  const foldersIn = (place: string) =>
    readdirSync(join(root, place), { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && !entry.name.startsWith("."))
      .map((entry) => `${place}${entry.name}/`)
      .filter((path) => !ignored.includes(path));
  expect(drawn.toSorted()).toEqual(
    foldersIn("")
      .flatMap((top) => [top, ...foldersIn(top)])
      .toSorted(),
  );
});

test("docs/data.md says of every table what it holds, and of no other", () => {
  const models = [...read("prisma/schema.prisma").matchAll(/^model (\w+) \{/gm)].map((model) => model[1]!);
  const cells = [...read("docs/data.md").matchAll(/^\| (`\w+`(?:, `\w+`)*) \|/gm)].map((row) => row[1]!);
  const told = cells.flatMap((cell) => [...cell.matchAll(/\w+/g)].map(([name]) => name));
  expect(told.toSorted()).toEqual(models.toSorted());
});

/** The cells of a document's rows that begin with a number such as 3.1 or 3.1.1, below one of its headings or anywhere. */
const numbered = (text: string) =>
  [...text.matchAll(/^\| (\d+(?:\.\d+)+) \| (.+) \|$/gm)].map((row) => ({
    no: row[1]!,
    cells: row[2]!.split("|").map((cell) => cell.trim()),
  }));

/** The files of the project that a text names in code's letters. */
const filesIn = (text: string) =>
  [
    ...text.matchAll(
      /`((?:(?:app|test|scripts|extensions|prisma|docs)\/[^`]+|[\w-]+)\.(?:tsx?|js|json|toml|md|prisma|app\.toml|config\.js))`/g,
    ),
  ].map((match) => match[1]!);

test.each(["docs/threat-model.md", "docs/asvs.md", "SECURITY.md"])("files that %s names are there", (document) => {
  const named = filesIn(read(document));
  expect(named.filter((file) => !existsSync(join(root, file)))).toEqual([]);
});

test("docs/threat-model.md: every threat has an answer and a test, or is open; and what is open is a threat", () => {
  const [threats, open] = read("docs/threat-model.md").split(/^## Open$/m);
  const rows = numbered(threats!);
  const missing = numbered(open!.split(/^## /m)[0]!);
  const isOpen = new Set(missing.map(({ no }) => no));
  expect(rows.length).toBeGreaterThan(60);
  expect(new Set(rows.map(({ no }) => no)).size).toBe(rows.length);
  const short = rows.filter(({ cells }) => cells.length !== 5 || !/^[STRIDE](?:, [STRIDE])*$/.test(cells[0]!));
  expect(short.map(({ no }) => no)).toEqual([]);
  const unanswered = rows.filter(
    ({ cells: [, , answer, where, heldBy] }) =>
      !answer || filesIn(where!).length === 0 || !filesIn(heldBy!).some((file) => file.startsWith("test/")),
  );
  expect(unanswered.map(({ no }) => no).filter((no) => !isOpen.has(no))).toEqual([]);
  expect(
    missing.filter(({ no, cells }) => cells.some((cell) => cell === "") || !rows.some((row) => row.no === no)),
  ).toEqual([]);
});

test("docs/asvs.md says of each requirement whether it is met, in order, each once", () => {
  const rows = numbered(read("docs/asvs.md"));
  expect(rows.length).toBeGreaterThan(100);
  const vague = rows.filter(({ cells }) => !/^(?:Met|In part|Not met|Does not apply): ./.test(cells[1] ?? ""));
  expect(vague.map(({ no }) => no)).toEqual([]);
  // A row may stand for a whole section: 6.2 comes before 6.3.1.
  const weight = ({ no }: { no: string }) => {
    const [chapter = 0, section = 0, requirement = 0] = no.split(".").map(Number);
    return (chapter * 100 + section) * 100 + requirement;
  };
  expect(rows.map(weight)).toEqual(rows.map(weight).toSorted((a, b) => a - b));
  expect(new Set(rows.map(({ no }) => no)).size).toBe(rows.length);
});

test("docs/built-for-shopify.md has a line for each of Shopify's requirements and reasons for refusal", () => {
  const page = read("docs/built-for-shopify.md");
  const numbers = [...page.matchAll(/^\| ([1-4]\.\d\.\d+) (?:\((\d+)\) )?/gm)].map(([, no, reason]) => ({
    no: no!,
    reason,
  }));
  const reasons = numbers.filter(({ reason }) => reason !== undefined);
  const inCategories = [...page.matchAll(/^\| 5\.\d+ +\| [^|]*\((\d+)\)/gm)].map(([, count]) => Number(count));
  expect(new Set(numbers.map(({ no }) => no)).size).toBe(77 - 41);
  expect(new Set(reasons.map(({ no, reason }) => `${no} ${reason}`)).size).toBe(63);
  expect([inCategories.length, inCategories.reduce((sum, count) => sum + count, 0)]).toEqual([14, 41]);
});
