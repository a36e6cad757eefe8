import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { createSeries } from "../app/http/metrics/series.ts";
import { ALARMS } from "../app/ports.ts";

/** What an operator's tools load asks only for series that the process tells, by labels that they have. */

const root = join(import.meta.dirname, "..");
const read = (file: string) => readFileSync(join(root, file), "utf8");

interface Rule {
  alert: string;
  expr: string;
  annotations: { summary: string; runbook: string };
  labels: { severity: string };
}

const { groups } = parse(read("ops/prometheus/alerts.yml")) as { groups: { rules: Rule[] }[] };
const rules = groups.flatMap((group) => group.rules);

interface Dashboard {
  panels: { id: number; title: string; targets: { expr: string }[] }[];
}
const dashboard = JSON.parse(read("ops/grafana/origen.json")) as Dashboard;

const asked = [
  ...rules.map(({ alert, expr }) => ({ where: alert, expr })),
  ...dashboard.panels.flatMap(({ title, targets }) => targets.map(({ expr }) => ({ where: title, expr }))),
];

interface Told {
  type: string;
  labels: readonly string[];
}

/** By name, as Prometheus sees it: a histogram tells three. */
const told = new Map<string, Told>(
  createSeries()
    .registry.getMetricsAsArray()
    .flatMap((metric) => {
      const {
        name,
        type,
        labelNames = [],
      } = metric as unknown as { name: string; type: string; labelNames?: string[] };
      const own: Told = { type: String(type), labels: labelNames };
      if (String(type) !== "histogram") return [[name, own] as const];
      return ["_bucket", "_count", "_sum"].map((end) => [`${name}${end}`, own] as const);
    }),
);

/** Of Prometheus itself. */
const FOREIGN = new Set(["up"]);
const ADDED = ["instance", "job", "le"];

const selectors = (expr: string) =>
  [...expr.matchAll(/\b(up|(?:origen|nodejs|process)_\w+)(?:\{([^}]*)\})?/g)].map(([, name, inside = ""]) => ({
    name: name!,
    labels: [...inside.matchAll(/(\w+)\s*[=!]~?"/g)].map((label) => label[1]!),
  }));

test("alerts and dashboard ask for a good part of what is told, and each asks for something", () => {
  expect(rules.length).toBeGreaterThan(10);
  expect(asked.filter(({ expr }) => selectors(expr).length === 0)).toEqual([]);
});

test("every series that they name is told, with the labels that they name", () => {
  const wrong = asked.flatMap(({ where, expr }) =>
    selectors(expr).flatMap(({ name, labels }) => {
      if (FOREIGN.has(name)) return [];
      const series = told.get(name);
      if (!series) return [`${where}: ${name} is not told`];
      const unknown = labels.filter((label) => !series.labels.includes(label) && !ADDED.includes(label));
      return unknown.map((label) => `${where}: ${name} has no label ${label}`);
    }),
  );
  expect(wrong).toEqual([]);
});

test("what they sum by and show is a label of the series", () => {
  const wrong = asked.flatMap(({ where, expr }) => {
    const known = selectors(expr).flatMap(({ name }) => told.get(name)?.labels ?? []);
    const by = [...expr.matchAll(/by \(([^)]*)\)/g)].flatMap((match) => match[1]!.split(",").map((one) => one.trim()));
    return by.filter((label) => !known.includes(label) && !ADDED.includes(label)).map((label) => `${where}: ${label}`);
  });
  expect(wrong).toEqual([]);
});

/** `asked.ts` reads them from the store, of which each process tells all. */
const OF_THE_STORE =
  /origen_(breakers|queue_due|queue_oldest_seconds|work_items_stopped|pending_writes|verification_open)/;

test("what each process tells of the whole store is not summed over processes", () => {
  const wrong = asked.filter(({ expr }) => new RegExp(`sum( by \\([^)]*\\) )?\\(${OF_THE_STORE.source}`).test(expr));
  expect(wrong).toEqual([]);
});

test("every series of ours stands on the dashboard or in an alert", () => {
  const named = new Set(
    asked.flatMap(({ expr }) => selectors(expr).map(({ name }) => name.replace(/_(bucket|count|sum)$/, ""))),
  );
  const ours = new Set([...told.keys()].map((name) => name.replace(/_(bucket|count|sum)$/, "")));
  expect([...ours].filter((name) => name.startsWith("origen_") && !named.has(name))).toEqual([]);
});

test("every alert says who is told, and leads to its part of the runbook", () => {
  const headings = [...read("docs/runbook.md").matchAll(/^### (.+)$/gm)].map((match) => match[1]!.toLowerCase());
  for (const { alert, annotations, labels } of rules) {
    expect(["page", "ticket"]).toContain(labels.severity);
    expect(annotations.runbook).toBe(`docs/runbook.md#${alert.toLowerCase()}`);
    expect(headings).toContain(alert.toLowerCase());
  }
});

test("the alarms that are counted are those that the runbook's table tells what to do about", () => {
  const [, , table] = /## Other alarms[^]*?\n\|(-+\|)+\n([^]*)/.exec(read("docs/erasing-a-shop.md"))!;
  const rows = [...table!.matchAll(/^\| `(\w+)` \|/gm)].map((row) => row[1]!);
  expect(rows.toSorted()).toEqual(ALARMS.toSorted());
});

test("docs/operations.md says of every series what it counts", () => {
  const text = read("docs/operations.md");
  const ours = [...told.keys()].map((name) => name.replace(/_(bucket|count|sum)$/, ""));
  expect(ours.filter((name) => name.startsWith("origen_") && !text.includes(`\`${name}\``))).toEqual([]);
});
