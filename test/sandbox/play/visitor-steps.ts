// What is done for a visitor beside the job: a story for Home, and orders that show their origin.
import type { HomeView } from "../../../app/views/home.ts";
import { firstMapped, NOTHING_MAPPED } from "./job.ts";
import type { Job } from "./job.ts";
import { until } from "./until.ts";

/** The carrier that says no. */
const REFUSES = "dhl";

/** It says no to whatever it is asked about next, so all that it was to be asked about before has its answer. */
export async function refuseFromNowOn({ visitor, service, patienceMs }: Job): Promise<void> {
  await until({
    what: "The carriers' answers",
    read: async () => (await visitor.load<{ home: HomeView }>("/app", "routes/app._index")).home.origins.underWay,
    holds: (underWay) => underWay === 0,
    withinMs: 2 * patienceMs,
  });
  service.configure({ verification: { verdicts: { [REFUSES]: "rejected" } } });
}

/** The story that Home tells when the play is over: the address is saved, and one carrier says no to it. */
export async function beRefused(job: Job): Promise<string> {
  const location = await firstMapped(job);
  if (!location) return NOTHING_MAPPED;
  await until({
    what: `The refusal of ${REFUSES}`,
    read: async () => (await job.originOf(location)).standings,
    holds: (standings) => standings.some(({ carrier, outcome }) => carrier === REFUSES && outcome === "refused"),
    withinMs: 2 * job.patienceMs,
  });
  job.service.configure({ verification: { verdicts: {} } });
  return `${location.name}: ${REFUSES} refused, and Home says so`;
}

/** As the owner does in Settings, so that the order that a visitor opens shows its origin. */
export async function grantOrders({ adminUrl, shop }: Job): Promise<string> {
  const ask = async <T>(path: string, body?: object): Promise<T> => {
    const response = await fetch(`${adminUrl}/internal/${shop.handle}/scopes${path}`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body ?? {}),
    });
    if (!response.ok) throw new Error(`The access was not granted: ${response.status} ${await response.text()}`);
    return (await response.json()) as T;
  };
  const { optional: scopes } = await ask<{ optional: string[] }>("");
  await ask("/grant", { scopes });
  return `granted: ${scopes.join(", ")}`;
}
