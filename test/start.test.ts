import { cpSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { fingerprint, isBuiltFrom, noteBuilt } from "../scripts/builds/freshness.ts";
import { SERVER, SERVER_FLAGS } from "../scripts/builds/server-command.ts";

/** How the built server is started, and that an old build is not. */

const read = (name: string) => readFileSync(join(import.meta.dirname, "..", name), "utf8");

describe("whoever starts the server", () => {
  test("gives Node the same flags and the same file", () => {
    const { scripts } = JSON.parse(read("package.json")) as { scripts: { start: string } };
    expect(scripts.start).toMatch(
      // Without "exec" a shell stands between: npm hands a SIGTERM to it, and it ends without its child, which goes on serving.
      new RegExp(`&& exec node ${SERVER_FLAGS.join(" ")} --env-file-if-exists=\\.env ${SERVER}$`),
    );
    expect(read("Dockerfile")).toContain(`exec node ${SERVER_FLAGS.join(" ")} ${SERVER}"]`);
  });

  test("asks first whether the build is of these sources", () => {
    const { scripts } = JSON.parse(read("package.json")) as { scripts: { start: string } };
    expect(scripts.start.indexOf("scripts/build.ts --check")).toBeGreaterThan(0);
    expect(scripts.start.indexOf("scripts/build.ts --check")).toBeLessThan(scripts.start.indexOf("scripts/migrate.ts"));
  });
});

describe("a build", () => {
  test("is of the sources that it was made from, until one of them has another word or is gone", () => {
    const root = mkdtempSync(join(tmpdir(), "freshness-"));
    mkdirSync(join(root, "app/http"), { recursive: true });
    mkdirSync(join(root, "build"));
    writeFileSync(join(root, "app/http/serve.ts"), "one");
    writeFileSync(join(root, "package.json"), "{}");
    const isFresh = () => isBuiltFrom(root, fingerprint(root));
    expect(isFresh()).toBe(false);
    noteBuilt(root, fingerprint(root));
    expect(isFresh()).toBe(true);
    writeFileSync(join(root, "app/http/serve.ts"), "two");
    expect(isFresh()).toBe(false);
    writeFileSync(join(root, "app/http/serve.ts"), "one");
    expect(isFresh()).toBe(true);
    cpSync(join(root, "app/http/serve.ts"), join(root, "app/http/drain.ts"));
    expect(isFresh()).toBe(false);
  });

  test("that has begun is none", () => {
    const root = mkdtempSync(join(tmpdir(), "freshness-"));
    mkdirSync(join(root, "build"));
    noteBuilt(root, fingerprint(root));
    noteBuilt(root, null);
    expect(isBuiltFrom(root, fingerprint(root))).toBe(false);
  });
});

/** An operator's command beside the running app must not write its client anew, each time, under the app and other commands. */
test("a client of the database holds the models as they are written, so that no command takes it for an old one", () => {
  for (const [schema, copy] of [
    ["prisma/schema.prisma", "node_modules/.prisma/client/schema.prisma"],
    ["prisma/postgresql/schema.prisma", "node_modules/@origen/prisma-postgresql/schema.prisma"],
  ] as const)
    // Prisma keeps its copy as `prisma format` writes it.
    expect(read(copy)).toBe(read(schema));
});
