import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { afterEach, describe, expect, test, vi } from "vitest";
import { later, partsOf } from "../../app/components/setup/later.tsx";
import type { PartsHandle } from "../../app/components/setup/later.tsx";

/** Which scripts a page brings at once, and which later. */

const app = join(import.meta.dirname, "../../app");

/** Every file and package whose script comes with that of `file`. */
function broughtBy(file: string, seen = new Set<string>()): Set<string> {
  if (seen.has(file)) return seen;
  seen.add(file);
  const source = readFileSync(file, "utf8");
  for (const [, isType, to] of source.matchAll(
    /^(?:import|export)\s+(type\s+)?(?:[^"';]*?\sfrom\s+)?["']([^"']+)["']/gm,
  ))
    if (isType) continue;
    else if (!to!.startsWith(".")) seen.add(to!);
    else if (/\.tsx?$/.test(to!)) broughtBy(resolve(dirname(file), to!), seen);
  return seen;
}

describe("the phone numbers of every country", () => {
  test("come with Review alone, and not with the other pages", () => {
    const routes = readdirSync(join(app, "routes"), { recursive: true, encoding: "utf8" }).filter((name) =>
      name.endsWith(".tsx"),
    );
    const views = routes.flatMap((name) => {
      const file = join(app, "routes", name);
      const shown = readFileSync(file, "utf8").matchAll(/^import (?!type).*"(\.[^"]*\/components\/[^"]+)"/gm);
      return [...shown].map(([, to]) => relative(app, resolve(dirname(file), to!)));
    });
    expect(views).toContain("components/home/home-page.tsx");
    const holding = [...new Set(views)].filter((view) => broughtBy(join(app, view)).has("libphonenumber-js"));
    expect(holding).toEqual(["components/review/review-page.tsx"]);
  });
});

describe("a part that comes later", () => {
  afterEach(() => void vi.unstubAllGlobals());

  test("is fetched once in a browser, and again after it did not come", async () => {
    vi.stubGlobal("document", {});
    const load = vi.fn(async () => () => null);
    load.mockRejectedValueOnce(new Error("The app is away"));
    const Part = later(load);
    expect(load).not.toHaveBeenCalled();
    await Part.fetch();
    await Promise.all([Part.fetch(), Part.fetch()]);
    await Part.fetch();
    expect(load).toHaveBeenCalledTimes(2);
  });

  test("is there on the server from its start", () => {
    const load = vi.fn(async () => () => null);
    later(load);
    expect(load).toHaveBeenCalledTimes(1);
  });

  test("is here before the page that shows it is taken over, and of no page that could not be read", async () => {
    const asked: unknown[] = [];
    const handle: PartsHandle = { parts: async (data) => void asked.push(data) };
    await partsOf({ home: { handle }, other: {}, unread: { handle }, gone: undefined }, { home: 1, other: 2 });
    await partsOf({ home: { handle } }, null);
    expect(asked).toEqual([1]);
  });
});
