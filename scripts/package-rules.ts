import semver from "semver";
import satisfies from "spdx-satisfies";

/** What is asked of the packages in the lock file. Pure: the files are read in check-packages.ts. */

/** One package of `package-lock.json`, whose schema this is a part of (lockfileVersion 3). */
export interface LockedPackage {
  name: string;
  version: string;
  license?: string;
  integrity?: string;
  dev?: boolean;
  hasInstallScript?: boolean;
}

type LockEntry = Omit<LockedPackage, "name" | "version"> & { version?: string; name?: string; link?: boolean };

/** @returns every package of the lock file, a name once for each of its versions. */
export function packagesIn(lock: { packages: Record<string, LockEntry> }): LockedPackage[] {
  const found = new Map<string, LockedPackage>();
  for (const [path, entry] of Object.entries(lock.packages)) {
    if (path === "" || entry.link) continue;
    const name = entry.name ?? path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length);
    const version = entry.version ?? "";
    const key = `${name}@${version}`;
    const known = found.get(key);
    // What is needed only to build in one place may be part of the product in another.
    found.set(key, { ...entry, name, version, dev: (entry.dev ?? false) && (known?.dev ?? true) });
  }
  return [...found.values()];
}

/** Licences that ask for no more than their text to be kept. */
const FREE = [
  ...["MIT", "MIT-0", "ISC", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "0BSD", "BlueOak-1.0.0"],
  ...["CC0-1.0", "Unlicense", "Python-2.0"],
];
/** Beside those, for what is used to build and test, and is given to nobody: data with attribution, and file by file copyleft. */
const FREE_TO_BUILD = [...FREE, "CC-BY-3.0", "CC-BY-4.0", "MPL-2.0"];

/** Packages whose licence no expression names, each looked at by a person. */
const LOOKED_AT: Record<string, string> = {
  "@shopify/polaris": "MIT, for use with Shopify's services only, which is what this app is for",
  "@shopify/polaris-icons": "the same",
  "@shopify/polaris-tokens": "the same",
  eval: "MIT, in an old form of that field",
  format: "the same",
  "require-like": "MIT by its readme",
};

/** @returns a sentence for each package that may not be used, or whose licence nobody has looked at. */
export function licenceFaults(packages: readonly LockedPackage[]): string[] {
  return packages.flatMap(({ name, version, license, dev }) => {
    if (Object.hasOwn(LOOKED_AT, name)) return [];
    if (license !== undefined && isAllowed(license, dev ? FREE_TO_BUILD : FREE)) return [];
    const says = license === undefined ? "names no licence" : `is under ${license}`;
    return [`${name}@${version} ${says}: replace it, or look at its licence and say so in scripts/package-rules.ts`];
  });
}

function isAllowed(license: string, allowed: string[]): boolean {
  try {
    return satisfies(license, allowed);
  } catch {
    // No expression at all, for example SEE LICENSE IN ….
    return false;
  }
}

/**
 * @param decided package.json's `allowScripts`: whether a package's install script may run, by name.
 * @returns a sentence for each script that nobody has decided about, and for each decision about a package without one.
 */
export function scriptFaults(packages: readonly LockedPackage[], decided: Record<string, boolean>): string[] {
  const scripted = new Set(packages.filter(({ hasInstallScript }) => hasInstallScript).map(({ name }) => name));
  return [
    ...[...scripted]
      .filter((name) => !Object.hasOwn(decided, name))
      .map((name) => `${name} runs a script when it is installed: allow or refuse it in package.json's allowScripts`),
    ...Object.keys(decided)
      .filter((name) => !scripted.has(name))
      .map((name) => `${name} has no install script any more: take it out of package.json's allowScripts`),
  ];
}

/** @returns a sentence for each package whose bytes nothing proves. */
export function integrityFaults(packages: readonly LockedPackage[]): string[] {
  return packages
    .filter(({ integrity }) => !integrity?.startsWith("sha512-"))
    .map(({ name, version }) => `${name}@${version} has no sha512 in package-lock.json: install it from a registry`);
}

/** The part that is read of an advisory in OSV's format, version 1. */
export interface Advisory {
  id: string;
  summary?: string;
  withdrawn?: string;
  database_specific?: { severity?: string };
  affected?: {
    package?: { ecosystem?: string; name?: string };
    versions?: string[];
    ranges?: { type: string; events: { introduced?: string; fixed?: string; last_affected?: string }[] }[];
  }[];
}

export interface Vulnerability {
  name: string;
  version: string;
  id: string;
  /** `LOW`, `MODERATE`, `HIGH` or `CRITICAL`; `UNKNOWN` where the advisory says nothing. */
  severity: string;
  summary: string;
  dev: boolean;
}

/** @returns the packages that one of the advisories speaks of. */
export function vulnerabilitiesOf(
  packages: readonly LockedPackage[],
  advisories: readonly Advisory[],
): Vulnerability[] {
  const byName = Map.groupBy(packages, ({ name }) => name);
  return advisories
    .filter(({ withdrawn }) => withdrawn === undefined)
    .flatMap((advisory) =>
      (advisory.affected ?? []).flatMap((affected) =>
        (affected.package?.ecosystem === "npm" ? (byName.get(affected.package.name ?? "") ?? []) : [])
          .filter(({ version }) => isAffected(version, affected))
          .map(({ name, version, dev = false }) => ({
            name,
            version,
            id: advisory.id,
            severity: advisory.database_specific?.severity?.toUpperCase() ?? "UNKNOWN",
            summary: advisory.summary ?? "",
            dev,
          })),
      ),
    );
}

type Affected = NonNullable<Advisory["affected"]>[number];

/** GitHub's database says ECOSYSTEM of npm's versions, what osv.dev makes of it SEMVER: both are npm's order. */
const OF_VERSIONS = new Set(["SEMVER", "ECOSYSTEM"]);

function isAffected(version: string, { versions, ranges }: Affected): boolean {
  if (versions?.includes(version)) return true;
  return (ranges ?? []).filter(({ type }) => OF_VERSIONS.has(type)).some(({ events }) => isWithin(version, events));
}

/** OSV's own rule: the events in order of their versions; the last one that is not above the version decides. */
function isWithin(version: string, events: NonNullable<Affected["ranges"]>[number]["events"]): boolean {
  const steps = events
    .map(({ introduced, fixed, last_affected: last }) =>
      introduced !== undefined
        ? { at: introduced === "0" ? "0.0.0-0" : introduced, affected: true, after: false }
        : { at: fixed ?? last ?? "", affected: false, after: fixed === undefined },
    )
    .filter(({ at }) => semver.valid(at))
    .toSorted((a, b) => semver.compare(a.at, b.at));
  return steps.reduce((affected, step) => {
    const reached = step.after ? semver.gt(version, step.at) : semver.gte(version, step.at);
    return reached ? step.affected : affected;
  }, false);
}

/** What stops a change from landing: what is serious in the product. What only builds it is told, and does not stop it. */
export function isSerious({ severity, dev }: Vulnerability): boolean {
  return !dev && severity !== "LOW" && severity !== "MODERATE";
}
