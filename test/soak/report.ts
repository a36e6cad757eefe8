import { markerOf } from "../../app/domain/marker.ts";
import type { WriteEntry } from "../sandbox/shipping/write-log.ts";
import type { Finding } from "./oracle/said.ts";
import type { Verdict } from "./oracle/verdict.ts";
import { lineOf } from "./diary.ts";
import type { SoakWorld } from "./world.ts";

/** How many findings are told as stories; the others are only named. */
const MOST_TOLD = 6;

const KINDS = [
  "lost",
  "duplicates",
  "overwritten",
  "starved",
  "untold",
  "needlessDeletes",
  "verdictsLost",
  "credentialsLost",
  "falseWords",
] as const satisfies readonly (keyof Verdict)[];

/** Prints what was played, what is wrong, and for the first findings everything that happened to them, in order. */
export function report(world: SoakWorld, verdict: Verdict): void {
  const { diary, service } = world;
  const { struck } = world.admin.faults;
  console.log(
    `Played: ${Object.entries(diary.counts())
      .map(([name, count]) => `${name} ${count}`)
      .join(", ")}`,
  );
  console.log(
    `Faults of the service that struck: ${JSON.stringify(service.report().faults)}; of Shopify: ${JSON.stringify(struck)}`,
  );
  const told = new Set<string>();
  for (const kind of KINDS)
    for (const finding of verdict[kind]) {
      console.log(`${kind}: ${finding.about}: ${finding.text}`);
      if (told.has(finding.about) || told.size >= MOST_TOLD) continue;
      told.add(finding.about);
      for (const line of storyOf(world, finding)) console.log(`    ${line}`);
    }
}

function storyOf({ diary, service, shops, startedAtMs }: SoakWorld, { about }: Finding): string[] {
  const templates = templatesOf(about, service.log(), shops);
  const writes = service
    .log()
    .filter(({ templateId, operation }) => templates.includes(templateId) && operation !== "verdict")
    .map((write) => ({ atMs: write.atMs, text: wordsOf(write) }));
  const lines = [...diary.about([about, ...templates]), ...writes.map((write) => lineOf(write, startedAtMs))];
  return lines.sort((a, b) => Number.parseFloat(a) - Number.parseFloat(b));
}

/** The template itself; for a location, the templates that carried its marker. */
function templatesOf(about: string, log: WriteEntry[], shops: SoakWorld["shops"]): string[] {
  if (!about.startsWith("gid:")) return [about];
  const markers = shops.map(({ state }) => markerOf(state.domain, about));
  const carries = ({ after }: WriteEntry) => markers.some((marker) => String(after?.alias_name ?? "").includes(marker));
  return [...new Set(log.filter(carries).map(({ templateId }) => templateId))];
}

function wordsOf({ sequence, source, operation, templateId, readAt, payload }: WriteEntry): string {
  const planned = readAt === null ? "" : `, planned on what stood there after write ${readAt}`;
  return `write ${sequence} by ${source}: ${operation} ${templateId.slice(0, 8)} ${JSON.stringify(payload)}${planned}`;
}
