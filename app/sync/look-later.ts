import { returnAskedAtMs } from "../domain/plan/location-age.ts";
import type { Tables } from "../ports.ts";
import { looksAgainAtMs, lookAtAllBy } from "../book/overtaken.ts";
import { commit } from "../runs/run.ts";
import type { Run, RunEnd } from "../runs/run.ts";

/**
 * A template of which a reading was behind is looked at once that can not be any more; a location that has left and is told to be back, until
 * Shopify shows it or long enough has passed. A run that ends well comes again by then, and nothing is pending meanwhile. One that stops until
 * a person does something does not come by itself, so everything is looked at. Any other comes again anyway, and reads both.
 */
export async function lookLater(run: Run, end: RunEnd): Promise<RunEnd> {
  const { id, shop } = run.item;
  if (end.kind === "blocked")
    await commit(run, async (tables) => {
      const untilMs = await looksAgainAt(run, tables);
      if (untilMs !== null) await lookAtAllBy(tables, { shop, untilMs });
    });
  if (end.kind !== "done") return end;
  return {
    ...end,
    alongside: async (tables) => {
      await end.alongside?.(tables);
      const untilMs = await looksAgainAt(run, tables);
      if (untilMs !== null) await tables.workItems.update({ id, dueAtMs: { gt: untilMs } }, { dueAtMs: untilMs });
    },
  };
}

async function looksAgainAt(
  { services: { clock }, item }: Run,
  { connections, links, templates, locations }: Pick<Tables, "connections" | "links" | "templates" | "locations">,
): Promise<number | null> {
  const { shop, key: locationId } = item;
  const location = await locations.find({ shop, locationId });
  const returnsAtMs = location && returnAskedAtMs(location, clock.nowMs());
  const connection = await connections.find({ shop, current: true });
  const link = connection && (await links.find({ shop, connectionId: connection.id, locationId }));
  if (!link) return returnsAtMs;
  const { connectionId, templateId } = link;
  const overtakenAtMs = looksAgainAtMs(clock, await templates.find({ shop, connectionId, templateId }));
  const soonestMs = Math.min(returnsAtMs ?? Infinity, overtakenAtMs ?? Infinity);
  return soonestMs === Infinity ? null : soonestMs;
}
