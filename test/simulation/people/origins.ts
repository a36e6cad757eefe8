import type { LinkRecord } from "../../../app/domain/records.ts";
import { valuesOfTemplate } from "../../../app/domain/plan/three-way.ts";
import type { Services } from "../../../app/ports.ts";
import { excludeOrigin } from "../../../app/origins/exclude-origin.ts";
import { includeOrigin } from "../../../app/origins/include-origin.ts";
import { linkOrigin } from "../../../app/origins/link-origin.ts";
import { makeAgain } from "../../../app/origins/make-again.ts";
import { pauseOrigin } from "../../../app/origins/pause-origin.ts";
import { requestWork } from "../../../app/runs/request-work.ts";
import { runNow } from "../../../app/runs/run-now.ts";
import { resolveDifference } from "../../../app/origins/resolve-difference.ts";
import { syncOrigin } from "../../../app/origins/sync-origin.ts";
import { unlinkOrigin } from "../../../app/origins/unlink-origin.ts";
import { verifyOrigin } from "../../../app/origins/verify-origin.ts";
import type { At, Action, Stage } from "./stage.ts";
import { versionOf } from "../../../app/domain/plan/template-version.ts";

/** What a shop's owner does on an origin's page. An owner who finds no live process gives up. */

export const editContact: Action = async ({ random, visit }, { shop, locationId }) => {
  const services = visit();
  if (!services) return false;
  const requested = await services.store.transaction(shop, async (tables) => {
    const details = await tables.details.find({ shop, locationId });
    if (!details) return null;
    const contact = {
      ...details.contact,
      name: `Persona ${random.between(1, 99)}`,
      reference: `Puerta ${random.between(1, 99)}`,
    };
    await tables.details.update(
      { shop, locationId, revision: details.revision },
      { contact, revision: details.revision + 1 },
    );
    return requestWork(services, tables, { shop, kind: "location", key: locationId });
  });
  if (!requested) return false;
  await runNow(services, { shop, ...requested });
  return true;
};

/** The owner answers the differences that are shown, and makes again what is gone. */
export const resolve: Action = async (stage, at) => {
  const services = stage.visit();
  const link = services && (await linkOf(services, at));
  if (!services || !link) return false;
  if (link.missingSinceMs !== null) {
    await makeAgain(services, at);
    return true;
  }
  if (link.differences.length === 0) return false;
  await chooseFor(stage, { services, link, at });
  return true;
};

async function chooseFor(
  { random, known }: Stage,
  { services, link, at }: { services: Services; link: LinkRecord; at: At },
): Promise<void> {
  const choices = link.differences.map(({ field, theirs }) => ({
    field,
    theirs,
    choice: random.pick(["ours", "theirs"] as const),
  }));
  // The service's value, too, holds only until our side changes; the owner has seen it.
  for (const { field, theirs } of choices) known.allowed.add(`${link.templateId} ${field} ${theirs}`);
  await resolveDifference(services, { ...at, choices });
}

export const includeAgain: Action = async ({ visit }, at) => {
  const services = visit();
  const details = await services?.store.details.find({ ...at });
  if (!services || details?.inclusion !== "never") return false;
  await includeOrigin(services, at);
  return true;
};

export const exclude: Action = async ({ visit }, at) => {
  const services = visit();
  return services !== null && (await excludeOrigin(services, at)) === "excluded";
};

export const pauseOrResume: Action = async ({ visit }, { shop, locationId }) => {
  const services = visit();
  const details = await services?.store.details.find({ shop, locationId });
  if (!services || !details) return false;
  return (await pauseOrigin(services, { shop, locationIds: [locationId], paused: !details.paused })).length > 0;
};

export const unlink: Action = async ({ visit }, at) => {
  const services = visit();
  return services !== null && (await unlinkOrigin(services, at)) === "unlinked";
};

/** Links a template of the account to a location without one; the owner saw the values that the template had. */
export const link: Action = async ({ visit, random, known }, at) => {
  const services = visit();
  const connection = await services?.store.connections.find({ shop: at.shop, current: true });
  if (!services || !connection || (await linkOf(services, at))) return false;
  const templates = await services.store.templates.list(
    { shop: at.shop, connectionId: connection.id },
    { orderBy: { templateId: "asc" } },
  );
  const chosen = random.pick([...templates, null]);
  if (!chosen) return false;
  for (const [field, value] of Object.entries(valuesOfTemplate(chosen.template)))
    known.allowed.add(`${chosen.templateId} ${field} ${value}`);
  const linked = await linkOrigin(services, {
    ...at,
    templateId: chosen.templateId,
    templateVersion: versionOf(chosen.template),
  });
  return linked.kind === "done";
};

export const syncNow: Action = async ({ visit }, at) => {
  const services = visit();
  return services !== null && (await syncOrigin(services, at)).kind === "done";
};

export const askCarriers: Action = async ({ visit }, at) => {
  const services = visit();
  return services !== null && (await verifyOrigin(services, { ...at, carriers: ["fedex", "dhl"] })).kind === "done";
};

async function linkOf({ store }: Services, { shop, locationId }: At): Promise<LinkRecord | null> {
  const connection = await store.connections.find({ shop, current: true });
  return connection && store.links.find({ shop, locationId, connectionId: connection.id });
}
