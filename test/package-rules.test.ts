import { expect, test } from "vitest";
import {
  type Advisory,
  integrityFaults,
  isSerious,
  licenceFaults,
  packagesIn,
  scriptFaults,
  vulnerabilitiesOf,
} from "../scripts/package-rules.ts";

const product = { name: "a", version: "1.2.3", license: "MIT", integrity: "sha512-x" };

test("a package is in the product as soon as one place of the product has it", () => {
  const packages = packagesIn({
    packages: {
      "": {},
      "node_modules/a": { version: "1.0.0", dev: true },
      "node_modules/b/node_modules/a": { version: "1.0.0" },
      "node_modules/@s/c": { version: "2.0.0", dev: true },
      "node_modules/alias": { name: "real", version: "3.0.0" },
      "node_modules/here": { link: true },
    },
  });
  expect(packages.map(({ name, version, dev }) => [name, version, dev])).toEqual([
    ["a", "1.0.0", false],
    ["@s/c", "2.0.0", true],
    ["real", "3.0.0", false],
  ]);
});

test.each([
  ["MIT", false, 0],
  ["(MIT OR GPL-3.0)", false, 0],
  ["(MIT AND GPL-3.0)", false, 1],
  ["MPL-2.0", true, 0],
  ["MPL-2.0", false, 1],
  ["GPL-3.0", true, 1],
  ["SEE LICENSE IN LICENSE.md", true, 1],
  [undefined, false, 1],
])("licence %s, only to build: %s", (license, dev, faults) => {
  const { license: _, ...rest } = product;
  expect(licenceFaults([{ ...rest, dev, ...(license === undefined ? {} : { license }) }])).toHaveLength(faults);
});

test("an install script that nobody decided about is a fault, and so is a decision about none", () => {
  const packages = [{ ...product, hasInstallScript: true }];
  expect(scriptFaults(packages, { a: false })).toEqual([]);
  expect(scriptFaults(packages, {})).toEqual([expect.stringContaining("a runs a script")]);
  expect(scriptFaults([product], { a: true })).toEqual([expect.stringContaining("a has no install script")]);
});

test("a package without a sha512 is a fault", () => {
  expect(integrityFaults([product])).toEqual([]);
  expect(
    integrityFaults([
      { ...product, integrity: "sha1-x" },
      { name: "b", version: "1.0.0" },
    ]),
  ).toHaveLength(2);
});

const advisory = (
  range: NonNullable<NonNullable<Advisory["affected"]>[number]["ranges"]>[number]["events"],
): Advisory => ({
  id: "GHSA-1",
  summary: "It burns",
  database_specific: { severity: "HIGH" },
  affected: [{ package: { ecosystem: "npm", name: "a" }, ranges: [{ type: "SEMVER", events: range }] }],
});

test.each([
  [[{ introduced: "0" }, { fixed: "1.2.4" }], 1],
  [[{ introduced: "0" }, { fixed: "1.2.3" }], 0],
  [[{ introduced: "1.3.0" }], 0],
  [[{ introduced: "0" }, { last_affected: "1.2.3" }], 1],
  [[{ introduced: "0" }, { last_affected: "1.2.2" }], 0],
  [[{ introduced: "0" }, { fixed: "1.0.0" }, { introduced: "1.2.0" }, { fixed: "1.2.9" }], 1],
  [[{ introduced: "1.2.0" }, { fixed: "1.2.9" }, { introduced: "0" }, { fixed: "1.0.0" }], 1],
])("version 1.2.3 in the range %j: %i", (range, found) => {
  expect(vulnerabilitiesOf([product], [advisory(range)])).toHaveLength(found);
});

test.each([
  ["SEMVER", 1],
  ["ECOSYSTEM", 1],
  ["GIT", 0],
])("a range of the type %s: %i", (type, found) => {
  const open = advisory([{ introduced: "0" }]);
  const affected = open.affected!.map((one) => ({ ...one, ranges: one.ranges!.map((range) => ({ ...range, type })) }));
  expect(vulnerabilitiesOf([product], [{ ...open, affected }])).toHaveLength(found);
});

test("an advisory of another ecosystem, of another package, or withdrawn, says nothing", () => {
  const open = advisory([{ introduced: "0" }]);
  const [affected] = open.affected!;
  const elsewhere = { ...open, affected: [{ ...affected, package: { ecosystem: "PyPI", name: "a" } }] };
  expect(vulnerabilitiesOf([product], [{ ...open, withdrawn: "2026-01-01" }, elsewhere])).toEqual([]);
  expect(vulnerabilitiesOf([{ ...product, name: "b" }], [open])).toEqual([]);
});

test("what is serious in the product stops a change; a tool's, and what is mild, is told", () => {
  const [found] = vulnerabilitiesOf([product], [advisory([{ introduced: "0" }])]);
  expect(found).toMatchObject({ id: "GHSA-1", severity: "HIGH", summary: "It burns", dev: false });
  expect(isSerious(found!)).toBe(true);
  expect(isSerious({ ...found!, dev: true })).toBe(false);
  expect(isSerious({ ...found!, severity: "MODERATE" })).toBe(false);
  expect(isSerious({ ...found!, severity: "UNKNOWN" })).toBe(true);
});
