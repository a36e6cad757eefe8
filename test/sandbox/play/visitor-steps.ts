// What is done for a visitor beside the job: a story for Home, and orders that show their origin.
import { firstMapped, NOTHING_MAPPED } from "./job.ts";
import type { Job } from "./job.ts";
import { until } from "./until.ts";

/** The carrier that says no. */
export const REFUSES = "dhl";

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
