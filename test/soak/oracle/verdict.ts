import * as pages from "../../sandbox/play/pages.ts";
import type { SoakWorld } from "../world.ts";
import { needlessDeletes } from "./deletes.ts";
import type { Shown } from "./deletes.ts";
import { sidesOf, standingOf, wordsOf } from "./locations.ts";
import { overwritesOf } from "./overwrites.ts";
import { drafts, unsaved } from "./said.ts";
import type { Finding } from "./said.ts";
import { readSnapshots } from "./snapshot.ts";
import type { Snapshot } from "./snapshot.ts";
import type { Witness } from "./witness.ts";

/** What is wrong at the end, by name. Every list except `unseeable` must be empty. */
export interface Verdict extends Witness {
  lost: Finding[];
  duplicates: Finding[];
  overwritten: Finding[];
  unseeable: number;
  secondsOverLimit: number;
  untold: Finding[];
  needlessDeletes: Finding[];
}

export interface Database {
  url: string;
  keys: string;
}

/** What is still wrong or under way; empty once everything has come to rest as it should. */
export async function unfinished(world: SoakWorld, database: Database): Promise<Finding[]> {
  const snapshots = await readSnapshots(
    database,
    world.shops.map(({ state }) => state.domain),
  );
  return [...astrayIn(world, snapshots), ...stillWanted(snapshots), ...drafts(world, snapshots).lost];
}

export async function runOracle(
  world: SoakWorld,
  { database, witness, shown }: { database: Database; witness: Witness; shown: readonly Shown[] },
): Promise<Verdict> {
  const snapshots = await readSnapshots(
    database,
    world.shops.map(({ state }) => state.domain),
  );
  const astray = astrayIn(world, snapshots);
  const { duplicates, secondsOverLimit } = world.service.report();
  const { overwritten, unseeable } = overwritesOf(world, locationsOf(snapshots));
  const byHand = drafts(world, snapshots);
  const words = await pagesOf(world, astray);
  return {
    lost: [...astray, ...stillWanted(snapshots), ...byHand.lost, ...unsaved(world, snapshots)],
    duplicates: [
      ...duplicates.alive.map(({ marker, ids }) => ({ about: ids[0]!, text: `${marker} is in ${ids.join(", ")}` })),
      ...Array.from({ length: duplicates.total }, () => ({ about: "all", text: "a create made a template twice" })),
      ...byHand.doubled,
    ],
    overwritten: overwritten.map(({ templateId, text }) => ({ about: templateId, text })),
    unseeable,
    secondsOverLimit,
    starved: witness.starved,
    untold: words.untold,
    needlessDeletes: needlessDeletes(world, shown).map(({ templateId, text }) => ({ about: templateId, text })),
    verdictsLost: witness.verdictsLost,
    credentialsLost: witness.credentialsLost,
    falseWords: [...witness.falseWords, ...byHand.falseWords, ...words.falseWords],
  };
}

/** By template, the location that it stands for. */
function locationsOf(snapshots: ReadonlyMap<string, Snapshot>): ReadonlyMap<string, string> {
  const links = [...snapshots.values()].flatMap((snapshot) => snapshot.links);
  return new Map(links.map(({ templateId, locationId }) => [templateId, locationId]));
}

function astrayIn(world: SoakWorld, snapshots: ReadonlyMap<string, Snapshot>): Finding[] {
  return world.shops.flatMap((shop) => {
    const snapshot = snapshots.get(shop.state.domain);
    if (!snapshot) return [{ about: "all", text: `${shop.name} is not known` }];
    const templates = new Map(world.service.templates(shop.clientId, "production").map((each) => [each.id, each]));
    return sidesOf(shop, snapshot, templates)
      .map(standingOf)
      .flatMap(({ sides, astray }) => astray.map(({ text }) => ({ about: sides.locationId, text })));
  });
}

/** Work items that have not come to rest. Only a person's answer may be waited for. */
function stillWanted(snapshots: ReadonlyMap<string, Snapshot>): Finding[] {
  return [...snapshots.values()].flatMap(({ shop, workItems, verifications }) => {
    const open = workItems.filter(
      ({ state, generation, observedGeneration }) =>
        state === "parked" || (state === "active" && generation > observedGeneration),
    );
    const asked = verifications.filter(({ outcome }) => outcome === "wanted");
    return [
      ...open.map((item) => ({
        about: item.key,
        text: `${shop.shop}: ${item.kind} is ${wordsOf(item)}`,
      })),
      ...asked.map(({ templateId, carrier }) => ({ about: templateId, text: `${carrier} was never asked` })),
    ];
  });
}

/** How the pages show a location that is wrong: `untold` if they show nothing, `falseWords` if they call it well. */
async function pagesOf(world: SoakWorld, astray: Finding[]): Promise<{ untold: Finding[]; falseWords: Finding[] }> {
  const untold: Finding[] = [];
  const falseWords: Finding[] = [];
  for (const shop of world.shops) {
    const rows = await pages.originRows(shop);
    const { connection, queue } = await pages.home(shop);
    // What is under way ends by itself, and a connection that does not work has a banner on every page.
    const silent = queue.waiting === 0 && connection.health === "ready";
    for (const { about, text } of astray) {
      const row = rows.find(({ locationId }) => locationId === about);
      if (row && ["ready", "verifying", "unverified"].includes(row.state))
        falseWords.push({ about, text: `the page says ${row.state}, but ${text}` });
      else if (row && ["changing", "waiting"].includes(row.state) && silent) untold.push({ about, text });
    }
  }
  return { untold, falseWords };
}
