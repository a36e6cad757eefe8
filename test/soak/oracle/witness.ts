import { setTimeout as sleep } from "node:timers/promises";
import * as pages from "../../sandbox/play/pages.ts";
import type { SoakShop, SoakWorld } from "../world.ts";
import { gidOf } from "../world.ts";
import { sidesOf, standingOf } from "./locations.ts";
import type { Sides } from "./locations.ts";
import { lastDeletions, lastWriters } from "./overwrites.ts";
import type { Finding } from "./said.ts";
import { readSnapshots } from "./snapshot.ts";
import type { Snapshot } from "./snapshot.ts";

/** Checks every few seconds during the soak what must hold at every moment, not only at the end. */
export interface Witness {
  starved: Finding[];
  falseWords: Finding[];
  credentialsLost: Finding[];
  verdictsLost: Finding[];
}

const LOOKS_EVERY_MS = 6_000;
/** A service that answers other work serves every work item within this time. */
const STARVED_AFTER_MS = 10 * 60_000;
/** A page must show a change that the app was told of this long ago. */
const KNOWN_AFTER_MS = 10_000;

/** If a reading of the whole book ended this long after a deletion, the reading, or at least its last pages, began after the deletion. */
const BOOK_READ_WITHIN_MS = 60_000;

const SAYS_WELL: readonly string[] = ["ready", "verifying", "unverified"];

export async function watch(
  world: SoakWorld,
  { database, signal }: { database: { url: string; keys: string }; signal: AbortSignal },
): Promise<Witness> {
  const witness: Witness = { starved: [], falseWords: [], credentialsLost: [], verdictsLost: [] };
  const memory = {
    dirtySinceMs: new Map<string, number>(),
    verdicts: new Map<string, string>(),
    told: new Set<string>(),
  };
  const once = (list: Finding[], finding: Finding) => {
    const key = `${finding.about} ${finding.text.slice(0, 60)}`;
    if (memory.told.has(key)) return;
    memory.told.add(key);
    list.push(finding);
    world.diary.note(finding.about, `WITNESS: ${finding.text}`);
  };
  while (!signal.aborted) {
    await sleep(LOOKS_EVERY_MS, undefined, { signal }).catch(() => undefined);
    const domains = world.shops.map(({ state }) => state.domain);
    const snapshots = await readSnapshots(database, domains).catch(() => null);
    if (!snapshots) {
      world.diary.count("look in vain");
      continue;
    }
    for (const shop of world.shops) {
      const snapshot = snapshots.get(shop.state.domain);
      if (!snapshot) once(witness.credentialsLost, { about: "all", text: `${shop.name} is not known any more` });
      if (!snapshot) continue;
      lookAtConnection(shop, snapshot, (finding) => once(witness.credentialsLost, finding));
      lookAtVerdicts({ world, shop, snapshot, memory }, (finding) => once(witness.verdictsLost, finding));
      const dirty = dirtyOf(world, shop, snapshot);
      const nowMs = Date.now();
      for (const { locationId } of snapshot.locations) {
        if (!dirty.has(locationId)) memory.dirtySinceMs.delete(locationId);
        else if (!memory.dirtySinceMs.has(locationId)) memory.dirtySinceMs.set(locationId, nowMs);
        const sinceMs = memory.dirtySinceMs.get(locationId);
        if (sinceMs !== undefined && nowMs - sinceMs > STARVED_AFTER_MS)
          once(witness.starved, { about: locationId, text: `not served for ten minutes: ${dirty.get(locationId)}` });
      }
      await lookAtPage({ world, shop, dirty, database }, (finding) => once(witness.falseWords, finding));
      world.diary.count("look");
    }
  }
  return witness;
}

function lookAtConnection(
  shop: SoakShop,
  { connection, shop: record }: Snapshot,
  found: (finding: Finding) => void,
): void {
  const say = (text: string) => found({ about: "all", text: `${shop.name}: ${text}` });
  if (!connection) return say("it has no connection any more");
  if (connection.clientSecret === null) say("its client secret is gone");
  if (connection.state !== "active") say(`its connection is ${connection.state}`);
  if (record.uninstalledAtMs !== null) say("it is taken for uninstalled");
}

interface Look {
  world: SoakWorld;
  shop: SoakShop;
  snapshot: Snapshot;
  memory: { verdicts: Map<string, string> };
}

/** A verdict stays known as long as its template exists, though carriers may be asked again. */
function lookAtVerdicts({ world, shop, snapshot, memory }: Look, found: (finding: Finding) => void): void {
  const alive = new Set(world.service.templates(shop.clientId, "production").map(({ id }) => id));
  const known = new Map(snapshot.verifications.map((row) => [`${row.templateId} ${row.carrier}`, row]));
  for (const [key, verdict] of memory.verdicts) {
    const [domain, templateId = "", carrier = ""] = key.split(" ");
    if (domain !== shop.state.domain || known.has(`${templateId} ${carrier}`)) continue;
    memory.verdicts.delete(key);
    if (alive.has(templateId))
      found({ about: templateId, text: `${carrier} had said ${verdict}, and nothing is known of it` });
  }
  for (const [key, { outcome }] of known)
    if (outcome === "accepted" || outcome === "refused") memory.verdicts.set(`${shop.state.domain} ${key}`, outcome);
}

/** Locations whose change was delivered and whose template does not follow, each with the first reason. */
function dirtyOf({ service, admin }: SoakWorld, shop: SoakShop, snapshot: Snapshot): Map<string, string> {
  const templates = new Map(service.templates(shop.clientId, "production").map((each) => [each.id, each]));
  const nowMs = Date.now();
  const told = new Map<string, boolean>();
  for (const { shop: domain, payload, outcome, attempts } of admin.webhooks.deliveries) {
    if (domain !== shop.state.domain) continue;
    const id = gidOf(Number((payload as { id?: number }).id));
    // The app knows a change only if the webhook was delivered, and a while ago.
    const isKnown = outcome === "delivered" && nowMs - attempts.at(-1)!.atMs > KNOWN_AFTER_MS;
    told.set(id, isKnown);
  }
  const written = lastWriters(service);
  const deleted = lastDeletions(service);
  const bookReadAtMs = snapshot.connection?.bookReadAtMs ?? 0;
  // A person's change or deletion in the account is known once the app has read it there.
  const isUnread = (templateId: string) => {
    const deletion = deleted.get(templateId);
    return deletion?.source === "person" && bookReadAtMs < deletion.atMs + BOOK_READ_WITHIN_MS;
  };
  const isPersons = ({ link, template }: Sides, field: string | null) => {
    if (!link) return false;
    return field === null
      ? !template && isUnread(link.templateId)
      : written.get(`${link.templateId} ${field}`) !== "client";
  };
  const dirty = sidesOf(shop, snapshot, templates)
    .filter(({ locationId }) => told.get(locationId) === true)
    .map((sides) => ({ sides, astray: standingOf(sides).astray.filter(({ field }) => !isPersons(sides, field)) }))
    .filter(({ astray }) => astray.length > 0);
  return new Map(dirty.map(({ sides, astray }) => [sides.locationId, astray[0]!.text]));
}

/** Whether the list of origins calls something well although the app was told that it is not. */
async function lookAtPage(
  look: { world: SoakWorld; shop: SoakShop; dirty: Map<string, string>; database: { url: string; keys: string } },
  found: (finding: Finding) => void,
): Promise<void> {
  const { world, shop, dirty, database } = look;
  if (dirty.size === 0 || !world.app.running()) return;
  const rows = await pages.originRows(shop).catch(() => []);
  const well = rows.filter(({ locationId, state }) => dirty.has(locationId) && SAYS_WELL.includes(state));
  if (well.length === 0) return;
  // The template may have followed, or changed again, while the page was read. So a finding counts only if it held before and after.
  const after = await readSnapshots(database, [shop.state.domain]).catch(() => null);
  const snapshot = after?.get(shop.state.domain);
  const still = snapshot ? dirtyOf(world, shop, snapshot) : new Map<string, string>();
  for (const { locationId, state } of well)
    if (still.get(locationId) === dirty.get(locationId))
      found({ about: locationId, text: `the page says ${state}, but ${still.get(locationId)}` });
}
