import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import {
  type Advisory,
  integrityFaults,
  isSerious,
  licenceFaults,
  type LockedPackage,
  packagesIn,
  scriptFaults,
  type Vulnerability,
  vulnerabilitiesOf,
} from "./package-rules.ts";

/**
 * Checks the packages of the lock file: licences, install scripts, checksums, known vulnerabilities; and writes what the product is made
 * of (an SBOM, CycloneDX) to build/sbom.json. Vulnerabilities are looked up in a folder of advisories in OSV's format, where one is given,
 * which needs no network; else the registry is asked. Where nobody could be asked, that is said, and is not a fault of the packages.
 *
 *   --advisories FOLDER   e.g. a checkout of github/advisory-database
 */

const root = join(import.meta.dirname, "..");
const { values } = parseArgs({ options: { advisories: { type: "string" } } });

function readJson<T>(path: string): T {
  return JSON.parse(readFileSync(path, "utf8")) as T;
}

const lock = readJson<Parameters<typeof packagesIn>[0]>(join(root, "package-lock.json"));
const manifest = readJson<{ allowScripts: Record<string, boolean> }>(join(root, "package.json"));
const packages = packagesIn(lock);

/** npm, by the runtime that runs this: another one on PATH may be too old for the lock file. */
function npm(args: string[]) {
  return spawnSync("npm", args, { cwd: root, encoding: "utf8", maxBuffer: 256 * 1024 * 1024 });
}

function* advisoriesIn(folder: string): Generator<Advisory> {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true }))
    if (entry.isFile() && entry.name.endsWith(".json")) {
      const text = readFileSync(join(entry.parentPath, entry.name), "utf8");
      const advisory = JSON.parse(text) as Advisory;
      if (Array.isArray(advisory.affected)) yield advisory;
    }
}

interface Asked {
  /** Who was asked, or why nobody was. */
  source: string;
  found: Vulnerability[] | null;
}

function askFolder(folder: string): Asked {
  const advisories = [...advisoriesIn(folder)];
  if (advisories.length === 0) throw new Error(`${folder} holds no advisory in OSV's format`);
  return { source: `${advisories.length} advisories`, found: vulnerabilitiesOf(packages, advisories) };
}

interface Audit {
  vulnerabilities?: Record<
    string,
    { via: (string | { name: string; title: string; severity: string; url: string })[] }
  >;
  message?: string;
}

function askRegistry(): Asked {
  const { stdout } = npm(["audit", "--json", "--audit=true"]);
  const audit = parsed(stdout);
  if (!audit?.vulnerabilities) {
    const why = audit?.message ?? "npm gave no answer";
    return { source: `NOT ASKED: the registry cannot be asked (${why}); give --advisories FOLDER`, found: null };
  }
  const product = new Set(packages.filter(({ dev }) => !dev).map(({ name }) => name));
  const found = Object.values(audit.vulnerabilities).flatMap(({ via }) =>
    via
      .filter((cause) => typeof cause === "object")
      .map(({ name, title, severity, url }) => ({
        name,
        version: versionsOf(name),
        id: url.split("/").at(-1)!,
        severity: severity.toUpperCase(),
        summary: title,
        dev: !product.has(name),
      })),
  );
  return { source: "the registry", found };
}

function parsed(stdout: string): Audit | null {
  try {
    return JSON.parse(stdout) as Audit;
  } catch {
    return null;
  }
}

function versionsOf(name: string): string {
  return packages
    .filter((entry) => entry.name === name)
    .map(({ version }) => version)
    .join(", ");
}

interface Sbom {
  components: { "bom-ref": string; name: string; version: string }[];
  dependencies: { ref: string; dependsOn: string[] }[];
}

/** npm's own `--omit dev` also leaves out what the product shares with its tools, so what only builds is taken out here. */
function writeSbom(): string {
  const { status, stdout, stderr } = npm(["sbom", "--sbom-format", "cyclonedx", "--package-lock-only"]);
  if (status !== 0) throw new Error(`npm sbom failed: ${stderr}`);
  const sbom = JSON.parse(stdout) as Sbom;
  const tools = new Set(packages.filter(({ dev }) => dev).map(({ name, version }) => `${name}@${version}`));
  const dependencies = sbom.dependencies
    .filter(({ ref }) => !tools.has(ref))
    .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((other) => !tools.has(other)) }));
  const components = sbom.components.filter((component) => !tools.has(component["bom-ref"]));
  mkdirSync(join(root, "build"), { recursive: true });
  writeFileSync(join(root, "build", "sbom.json"), JSON.stringify({ ...sbom, components, dependencies }, null, 2));
  return `${components.length} components`;
}

function report(title: string, faults: readonly string[]): void {
  console.log(`${faults.length > 0 ? "FAILED" : "ok    "}  ${title}`);
  for (const fault of faults) console.error(`        ${fault}`);
  if (faults.length > 0) process.exitCode = 1;
}

function say({ name, version, severity, id, summary }: Vulnerability): string {
  return `${name}@${version} ${severity} ${id}: ${summary}`;
}

const count = (list: readonly LockedPackage[]) =>
  `${list.length} packages, ${list.filter(({ dev }) => !dev).length} of them in the product`;
report(`licences of ${count(packages)}`, licenceFaults(packages));
report("install scripts are decided one by one", scriptFaults(packages, manifest.allowScripts));
report("every package has a checksum", integrityFaults(packages));
const { source, found } = values.advisories ? askFolder(values.advisories) : askRegistry();
if (found) report(`known vulnerabilities, asked of ${source}: ${found.length}`, found.filter(isSerious).map(say));
else console.log(`        known vulnerabilities: ${source}`);
for (const known of (found ?? []).filter((one) => !isSerious(one)))
  console.log(`        known, not stopping: ${say(known)}`);
console.log(`ok      build/sbom.json: ${writeSbom()}`);
