import { AppError } from "../domain/errors.ts";
import { returnAskedAtMs } from "../domain/plan/location-age.ts";
import type { Tables } from "../ports.ts";
import { looksAgainAtMs, lookAtAllBy } from "../book/overtaken.ts";
import { commit } from "../runs/run.ts";
import type { Run, RunEnd } from "../runs/run.ts";

/**
 * A template of which a reading was behind is looked at once that can not be any more. A run that ends well comes again by then. One that
 * stops until a person does something does not come by itself, so everything is looked at. Any other comes again anyway, and reads it.
 * A run that ends well comes again, too, while a location that has left is told to be back; nothing is pending meanwhile.
 */
export async function lookLater(run: Run, end: RunEnd): Promise<RunEnd> {
  const { id, shop } = run.item;
  if (end.kind === "blocked")
    await commit(run, async (tables) => {
      const untilMs = await overtakenUntilMs(run, tables);
      if (untilMs !== null) await lookAtAllBy(tables, { shop, untilMs });
    });
  if (end.kind !== "done") return end;
  return {
    ...end,
    alongside: async (tables) => {
      await end.alongside?.(tables);
      for (const untilMs of [await overtakenUntilMs(run, tables), await returnUntilMs(run, tables)])
        if (untilMs !== null) await tables.workItems.update({ id, dueAtMs: { gt: untilMs } }, { dueAtMs: untilMs });
    },
  };
}

/**
 * How a run ends that only asked whether a location is back, and Shopify did not answer: well, for nothing stands still. Null where the run
 * had more to do.
 */
export async function askedInVain(run: Run, error: unknown): Promise<RunEnd | null> {
  const { generation, observedGeneration, failures } = run.item;
  if (!(error instanceof AppError) || error.kind !== "shopify_unavailable") return null;
  if (generation > observedGeneration || failures > 0) return null;
  const known = await locationOf(run, run.services.store);
  return known?.deletedAtMs == null ? null : { kind: "done" };
}

const locationOf = ({ item }: Run, { locations }: Pick<Tables, "locations">) =>
  locations.find({ shop: item.shop, locationId: item.key });

async function returnUntilMs(run: Run, tables: Pick<Tables, "locations">): Promise<number | null> {
  const location = await locationOf(run, tables);
  return location && returnAskedAtMs(location, run.services.clock.nowMs());
}

async function overtakenUntilMs(
  { services, item }: Run,
  { connections, links, templates }: Pick<Tables, "connections" | "links" | "templates">,
): Promise<number | null> {
  const { shop, key: locationId } = item;
  const connection = await connections.find({ shop, current: true });
  const link = connection && (await links.find({ shop, connectionId: connection.id, locationId }));
  if (!link) return null;
  const { connectionId, templateId } = link;
  return looksAgainAtMs(services.clock, await templates.find({ shop, connectionId, templateId }));
}
