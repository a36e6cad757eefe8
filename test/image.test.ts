import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { readStages } from "../scripts/image/dockerfile.ts";
import { commandOf } from "../scripts/image/last-stage.ts";

/** The Dockerfile and compose.yaml, as far as they can be checked without an engine. `npm run check:image` runs the steps. */

const root = join(import.meta.dirname, "..");
const read = (name: string) => readFileSync(join(root, name), "utf8");
const SECRET = /SECRET|PASSWORD(?!_FILE)|TOKEN|KEY/;
/** With a version, and without a word that means another image tomorrow. */
const PINNED = /^[\w./-]+:\d+\.\d+(\.\d+)?[\w.-]*(@sha256:[0-9a-f]{64})?$/;

describe("the image", () => {
  const text = read("Dockerfile");
  const stages = readStages(text);
  const last = stages.at(-1)!;
  const others = last.steps.filter((step) => step.kind === "other");
  const textOf = (instruction: string) => others.findLast((step) => step.instruction === instruction)?.text ?? "";

  test("is built in stages on one image of a fixed version, the one that the project runs on", () => {
    const [, image] = /^ARG NODE_IMAGE=(\S+)$/m.exec(text)!;
    expect(image).toMatch(PINNED);
    const { optionalDependencies } = JSON.parse(read("package.json")) as { optionalDependencies: { node: string } };
    expect(image).toContain(`node:${optionalDependencies.node}-`);
    expect(image).toContain("-slim");
    expect(stages.map((stage) => stage.image)).toEqual(["${NODE_IMAGE}", "${NODE_IMAGE}"]);
  });

  test("runs as a user that is not root, says how it is, and gives its place to the server", () => {
    expect(textOf("USER")).toMatch(/^(?!root|0)\w+$/);
    expect(textOf("HEALTHCHECK")).toContain("/health");
    expect(textOf("CMD")).toMatch(/exec node .*build\/process\/server\.js"\]$/);
  });

  test("says what it runs, and what it is asked for its health with, in a form that `npm run check:image` can run", () => {
    expect(commandOf(last, "CMD")).toEqual({ command: "sh", args: ["-c", expect.stringContaining("exec node ")] });
    expect(commandOf(last, "HEALTHCHECK")).toEqual({
      command: "node",
      args: ["-e", expect.stringContaining("fetch(")],
    });
  });

  test("holds no secret, and nothing is fetched but npm's packages", () => {
    for (const { steps } of stages)
      for (const step of steps) {
        if (step.kind === "env") expect(Object.keys(step.values).filter((name) => SECRET.test(name))).toEqual([]);
        if (step.kind === "run") expect(step.command).not.toMatch(/\b(curl|wget|apt|apk|sudo|git)\b/);
      }
    expect(text).not.toMatch(/^(ADD|ARG \w*(SECRET|KEY|TOKEN))/m);
    const ignored = read(".dockerignore").split("\n");
    for (const name of [".git", ".env", ".data", "node_modules", "build", "*.db", "*.jsonl"])
      expect(ignored).toContain(name);
  });

  test("copies only what is there", () => {
    const copies = stages.flatMap(({ steps }) => steps).filter((step) => step.kind === "copy");
    const made = ["node_modules", "build"];
    const paths = copies.flatMap((step) => step.paths.map((path) => path.replace(/^\/app\//, "")));
    expect(paths.filter((path) => !made.includes(path) && !existsSync(join(root, path)))).toEqual([]);
  });
});

describe("compose.yaml", () => {
  interface Service {
    image: string;
    [other: string]: unknown;
  }
  const { services } = parse(read("compose.yaml")) as { services: Record<"app" | "database" | "proxy", Service> };

  test("pins its images, and has two processes of the app on PostgreSQL behind a proxy", () => {
    const { version } = JSON.parse(read("package.json")) as { version: string };
    for (const { image } of Object.values(services)) expect(image).toMatch(PINNED);
    expect(services.app.image).toBe(`origen:${version}`);
    expect(services.app.deploy).toEqual({ replicas: 2 });
    expect(services.app.ports).toBeUndefined();
    expect(services.database.ports).toBeUndefined();
  });

  test("gives the app's processes no more than they need, and time to drain", () => {
    expect(services.app).toMatchObject({ init: true, read_only: true, cap_drop: ["ALL"] });
    expect(services.app.security_opt).toEqual(["no-new-privileges:true"]);
    expect(Number.parseInt(String(services.app.stop_grace_period), 10)).toBeGreaterThan(15);
  });

  test("names no secret, and only settings that exist", () => {
    const known = read("app/config.server.ts");
    for (const service of Object.values(services)) {
      const environment = (service.environment ?? {}) as Record<string, string>;
      expect(Object.keys(environment).filter((name) => SECRET.test(name))).toEqual([]);
      expect(JSON.stringify(environment)).not.toMatch(/\/\/\w+:\w+@/);
    }
    for (const name of Object.keys(services.app.environment as object)) expect(known).toContain(`  ${name}:`);
  });
});
