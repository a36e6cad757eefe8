import { originState } from "../origin-state.ts";
import type { OriginFacts, OriginState } from "../origin-state.ts";
import type { FlowTrigger, OriginSeen } from "../records.ts";
import { outlookOf } from "../readiness.ts";
import { carrierStandings } from "../verification/carrier-standing.ts";

/** The triggers that workflows of Shopify Flow begin with, and when an origin begins them. Pure. */

/** Their names, by the handles of `extensions/flow-triggers`. */
export const FLOW_TRIGGERS: Record<FlowTrigger, string> = {
  "origin-refused": "Origin refused by a carrier",
  "origin-ready": "Origin ready",
  "origin-needs-you": "Origin needs you",
  "origin-changed": "Origin changed in the address book",
  "connection-refused": "Connection needs new credentials",
};

/** The trigger of this handle or name, as Flow's lifecycle callback calls it; null where it is none of ours. */
export function flowTriggerOf(called: string): FlowTrigger | null {
  const found = Object.entries(FLOW_TRIGGERS).find(([handle, name]) => [handle, name].includes(called));
  return found ? (found[0] as FlowTrigger) : null;
}

/** The fields of an event that are about what happened, as the extensions declare them. */
export interface FlowFields extends Record<string, string> {
  Location: string;
  Template: string;
  Carrier: string;
  Status: string;
  Message: string;
}

export interface FlowNews {
  trigger: FlowTrigger;
  fields: FlowFields;
}

export const NOTHING_SEEN: OriginSeen = { refused: [], ready: false, needs: null, changed: [] };

/** More says nothing that a person reads in a message; Flow takes 50,000 bytes in all. */
const LONGEST_TEXT = 1_000;

/** States in which a run follows by itself: what it was before still holds, or is about to be told. */
const ON_THE_WAY: readonly OriginState[] = ["changing", "waiting"];

/** Null while nobody knows how it comes out. */
export function originSeen(facts: OriginFacts): OriginSeen | null {
  const state = originState(facts);
  return ON_THE_WAY.includes(state) ? null : seenIn(facts, state);
}

/** The same of an origin of which nothing is to be told yet, however it is. */
export function originSeenAtFirst(facts: OriginFacts): OriginSeen {
  const state = originState(facts);
  return { ...seenIn(facts, state), ready: outlookOf(facts, state).ships === "yes" };
}

function seenIn(facts: OriginFacts, state: OriginState): OriginSeen {
  if (state === "not_included" || state === "paused") return NOTHING_SEEN;
  const standings = carrierStandings(facts).filter(
    ({ chosen, outcome, stale }) => chosen && outcome === "refused" && !stale,
  );
  return {
    refused: standings.map(({ carrier }) => carrier),
    ready: state === "ready",
    needs: !ON_THE_WAY.includes(state) && outlookOf(facts, state).attention === "yours" ? state : null,
    changed: changesOf(facts).map(keyOf),
  };
}

/** What is to be told of an origin that was `before` and is `after`; `facts` are those of after. */
export function originNews(
  facts: OriginFacts,
  { before, after }: { before: OriginSeen; after: OriginSeen },
): FlowNews[] {
  const of = { Location: facts.location.name, Template: facts.link?.answered?.alias_name ?? "" };
  const about = (trigger: FlowTrigger, { carrier = "", status = "", message = "" }): FlowNews => ({
    trigger,
    fields: inShort({ ...of, Carrier: carrier, Status: status, Message: message }),
  });
  const refusals = carrierStandings(facts).filter(
    ({ carrier }) => after.refused.includes(carrier) && !before.refused.includes(carrier),
  );
  const changes = changesOf(facts).filter((each) => !before.changed.includes(keyOf(each)));
  const said = changes.map(({ field, ours, theirs }) => `${field}: ${ours ?? "–"} → ${theirs ?? "–"}`).join("; ");
  const message = facts.item?.reason?.message ?? "";
  return [
    ...refusals.map(({ carrier, status }) =>
      about("origin-refused", { carrier, status: "refused", message: status ?? "" }),
    ),
    ...(changes.length > 0 ? [about("origin-changed", { status: changes[0]!.kind, message: said })] : []),
    ...(after.needs && after.needs !== before.needs
      ? [about("origin-needs-you", { status: after.needs, message })]
      : []),
    ...(after.ready && !before.ready ? [about("origin-ready", { status: "ready" })] : []),
  ];
}

export function inShort(fields: FlowFields): FlowFields {
  const entries = Object.entries(fields).map(([key, text]) => [key, shortened(text)]);
  return Object.fromEntries(entries) as FlowFields;
}

function shortened(text: string): string {
  const characters = [...text];
  return characters.length > LONGEST_TEXT ? `${characters.slice(0, LONGEST_TEXT - 1).join("")}…` : text;
}

type Change = NonNullable<OriginFacts["link"]>["differences"][number];

/** What the service did not keep is no change of somebody's. */
function changesOf({ link }: OriginFacts): Change[] {
  return (link?.differences ?? []).filter(({ kind }) => kind !== "unkept");
}

function keyOf({ field, noticedAtMs }: Change): string {
  return `${field} ${noticedAtMs}`;
}
