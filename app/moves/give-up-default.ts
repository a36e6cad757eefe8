import { closedReason } from "../domain/closed-reason.ts";
import { MOVE_LOOKS_EVERY_MS } from "../domain/backoff.ts";
import type { AddressTemplate, ConnectionRecord, MoveRecord, TemplateDraft } from "../domain/records.ts";
import type { Services, Tables } from "../ports.ts";
import { requestWork } from "../runs/request-work.ts";
import { commit } from "../runs/run.ts";
import type { Run, RunEnd } from "../runs/run.ts";

/** How soon after the day it is looked whether the new template shows that it is the default; later as long after as it has passed. */
const SOON_MS = 60_000;

/**
 * The link has passed over. Only what we had made the account's default gives that up, and only once the new template shows that it is the
 * default: the account is never without one. It goes as a change by hand does, which reads the template before, and ends like one.
 */
export async function giveUpDefault(run: Run, move: MoveRecord): Promise<RunEnd> {
  const { services, item } = run;
  const { store } = services;
  const { shop, locationId, marker } = move;
  const connection = await store.connections.find({ shop, current: true });
  const isOpen = connection !== null && connection.id === move.connectionId && closedReason(connection) === null;
  const isWaiting = move.formerDefault && (!isOpen || (await awaitsDefault(store, move, connection)));
  const nowMs = services.clock.nowMs();
  if (isWaiting) {
    const agoMs = Math.abs(nowMs - (move.passedAtMs ?? nowMs));
    return { kind: "done", againAtMs: nowMs + Math.min(MOVE_LOOKS_EVERY_MS, Math.max(SOON_MS, agoMs)) };
  }
  await commit(run, async (tables) => {
    const settled = { formerDefault: false };
    if (move.formerDefault && connection) {
      if ((await tables.moves.update({ shop, locationId, marker, formerDefault: true }, settled)) === 0) return;
      await giveUpNow(services, tables, { move, connection, id: `${item.id} ${marker}` });
    }
    // Kept, the address book goes on showing the former template as the location's.
    if (!move.keepFormer) await tables.moves.delete({ shop, locationId, marker, state: "passed" });
  });
  services.wake();
  return { kind: "done" };
}

/**
 * Asks for the change by which the former template gives it up, where that is to be: with the run, or when the location is planned to move
 * again before the run came.
 */
export async function giveUpNow(
  services: Services,
  tables: Pick<Tables, "drafts" | "links" | "templates" | "workItems">,
  { move, connection, id }: { move: MoveRecord; connection: ConnectionRecord; id: string },
): Promise<void> {
  const former = await formerToChange(tables, move, connection);
  if (former) await askForChange(services, tables, { move, former, id });
}

/** Whether the new template is to be the default and does not show that it is. */
async function awaitsDefault(
  tables: Pick<Tables, "links" | "shops" | "templates">,
  { shop, locationId, templateId }: MoveRecord,
  { id: connectionId }: Pick<ConnectionRecord, "id">,
): Promise<boolean> {
  const record = await tables.shops.find({ shop });
  const link = await tables.links.find({ shop, connectionId, locationId });
  if (record?.policies.defaultLocationId !== locationId || link?.templateId !== templateId) return false;
  const row = await tables.templates.find({ shop, connectionId, templateId: link.templateId });
  return row?.template.default !== true;
}

/** The former template, where the new one is the default and this one shows that it is still, too, and stands for nobody. */
async function formerToChange(
  tables: Pick<Tables, "links" | "templates">,
  move: MoveRecord,
  { id: connectionId, environment }: ConnectionRecord,
): Promise<AddressTemplate | null> {
  const { shop, templateId, formerTemplateId } = move;
  if (templateId === null || formerTemplateId === null) return null;
  const now = await tables.templates.find({ shop, connectionId, templateId });
  const former = await tables.templates.find({ shop, connectionId, templateId: formerTemplateId });
  if (now?.template.default !== true || former?.template.default !== true) return null;
  const isLinked = (await tables.links.count({ environment, templateId: formerTemplateId })) > 0;
  return isLinked ? null : former.template;
}

async function askForChange(
  services: Services,
  tables: Pick<Tables, "drafts" | "workItems">,
  { move, former, id }: { move: MoveRecord; former: AddressTemplate; id: string },
): Promise<void> {
  const { shop, connectionId } = move;
  const { alias_name, address_type, address } = former;
  const { tax_id_number: _number, tax_id_type: _type, ...address_attributes } = address;
  const draft: TemplateDraft = { alias_name, address_type, default: false, address_attributes };
  await tables.drafts.insert({
    id,
    shop,
    connectionId,
    operation: "update",
    templateId: former.id,
    draft,
    base: former,
    createdAtMs: services.clock.nowMs(),
    endedAtMs: null,
    outcome: null,
    staffId: null,
  });
  await requestWork(services, tables, { shop, kind: "template", key: id });
}
