import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { proposalsOf, undecidedWords, type Proposal } from "./proposals.ts";
import { QUESTIONS } from "./questions.ts";
import type { Ended } from "./run.ts";
import type { Left } from "./scratch.ts";
import type { Seen } from "./seen.ts";

/** The report: a table for people, data for a stand-in. It holds no secrets, no ids but of scratch templates, no words of the account. */
export interface Report {
  format: 1;
  at: string;
  host: string;
  environment: "test";
  stopped: string | null;
  seen: Seen;
  rows: Row[];
  proposals: Proposal[];
  /** Words whose meaning a person has to say. */
  undecided: string[];
  counts: Ended["counts"];
  left: Left[];
}

export interface Row {
  clause: string;
  asks: string;
  assumed: string;
  seen: string;
  verdict: "as assumed" | "different" | "not seen";
  set: string;
}

export function reportOf(ended: Ended, { host, at }: { host: string; at: string }): Report {
  const { seen, left, counts, stopped } = ended;
  return {
    format: 1,
    at,
    host,
    environment: "test",
    stopped,
    seen,
    rows: rowsOf(seen),
    proposals: proposalsOf(seen),
    undecided: undecidedWords(seen),
    counts,
    left,
  };
}

export function rowsOf(seen: Seen): Row[] {
  return QUESTIONS.map(({ key, clause, asks, assumed, ...question }) => {
    const value = seen[key];
    if (value === undefined) return { clause, asks, assumed, seen: "not seen", verdict: "not seen", set: "" };
    const agrees = question.agrees(value);
    const set = agrees ? "" : question.set(value);
    return { clause, asks, assumed, seen: question.say(value), verdict: agrees ? "as assumed" : "different", set };
  });
}

/** As Markdown, which also reads well in a terminal. */
export function tableOf({ rows, proposals, undecided, left, counts, stopped, host, at }: Report): string {
  const cell = (text: string) => text.replaceAll("|", "\\|");
  const lines = rows.map(
    (row) =>
      `| ${row.clause} | ${cell(row.asks)} | ${cell(row.assumed)} | ${row.verdict === "different" ? "**different**: " : ""}${cell(row.seen)} | ${cell(row.set)} |`,
  );
  const settings = proposals.map(
    ({ name, value, isDefault, why }) => `- \`${name}=${value}\`${isDefault ? " (the default)" : ""}: ${why}`,
  );
  return [
    `# What the test environment at ${host} was seen to do, ${at}`,
    ...(stopped === null ? [] : [`The run ended before everything was asked: ${stopped}.`]),
    ["| clause | question | assumed | seen | what to set |", "|---|---|---|---|---|", ...lines].join("\n"),
    ["## Settings that follow", ...(settings.length > 0 ? settings : ["- none: nothing was seen"])].join("\n"),
    ...(undecided.length > 0
      ? [`Say in VERIFICATION_STATUS_TABLE what these words mean: ${undecided.join(", ")}. Until then they are quoted.`]
      : []),
    `${counts.calls} requests. Scratch templates made: ${counts.made}, deleted: ${counts.deleted}, left: ${left.length}.`,
    ...(left.length > 0 ? [leftOf(left)] : []),
  ].join("\n\n");
}

export function leftOf(left: readonly Left[]): string {
  const each = left.map(({ name, id }) => `- ${name}${id === null ? ": not found so far" : ` (${id})`}`);
  return ["Left, and known to the next run; or delete them in the service's own pages:", ...each].join("\n");
}

/** Writes both forms, readable by their owner alone; gives the path without its ending. */
export function keepReport(report: Report, folder: string): string {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, `report-${report.at.replaceAll(/[:.]/g, "-")}`);
  for (const [file, text] of [
    [`${path}.json`, JSON.stringify(report, null, 2)],
    [`${path}.md`, tableOf(report)],
  ] as const) {
    writeFileSync(file, `${text}\n`, { mode: 0o600 });
    chmodSync(file, 0o600);
  }
  return path;
}
