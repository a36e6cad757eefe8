import { keepingMarker, withoutMarker } from "../domain/marker.ts";
import type { AddressTemplate, ConnectionRecord, DraftRecord, TemplateDraft } from "../domain/records.ts";
import { AppError } from "../domain/errors.ts";
import type { Services, Tables } from "../ports.ts";
import { requestWork } from "../runs/request-work.ts";

/** A change by hand in the address book. `draftId` was made before the form was sent. */
export interface StatedDraft {
  shop: string;
  draftId: string;
  operation: DraftRecord["operation"];
  /** Of an update or a delete. */
  templateId: string | null;
  draft: TemplateDraft | null;
  /** The template as the form showed it. */
  base: AddressTemplate | null;
  /** What goes with it, in the same transaction. */
  also?: (tables: Tables) => Promise<void>;
}

/**
 * Stores what was said and requests its work item's run. Sent twice with one `draftId` it is one change. Throws `not_connected` without a
 * connection to make it over.
 */
export async function submitDraft(
  services: Services,
  stated: StatedDraft,
): Promise<{ workItemId: string; generation: number }> {
  const { shop, draftId, operation, templateId, base } = stated;
  const mayBeLost = operation === "create" ? await askWhatWasLost(services, shop) : () => false;
  return services.store.transaction(shop, async (tables) => {
    const known = await tables.drafts.find({ id: draftId, shop });
    const item = known && (await tables.workItems.find({ shop, kind: "template", key: draftId }));
    if (item) return { workItemId: item.id, generation: item.generation };
    const connection = await tables.connections.find({ shop, current: true });
    if (!connection)
      throw new AppError({ kind: "not_connected", message: "there is no account to change", effect: "none" });
    const draft = stated.draft && { ...stated.draft, alias_name: aliasOf(stated.draft, base, connection) };
    const outcome = null;
    const record = {
      id: draftId,
      shop,
      connectionId: connection.id,
      operation,
      templateId,
      draft,
      base,
      createdAtMs: services.clock.nowMs(),
      endedAtMs: null,
      outcome,
      staffId: services.staffId ?? null,
    };
    if (!known && !(await tables.drafts.insert(record))) {
      throw new AppError({ kind: "internal", message: "a draft's id is taken", effect: "none" });
    }
    if (!known) await stated.also?.(tables);
    const asked = await requestWork(services, tables, { shop, kind: "template", key: draftId });
    if (!known && mayBeLost(connection))
      await announceAsUnclear(services, tables, { draft: record, workItemId: asked.workItemId });
    return asked;
  });
}

/** Whoever pressed before a fail-over or a restore, and saw no end of it, presses again soon after. */
const PRESSES_AGAIN_WITHIN_MS = 3_600_000;

/**
 * Tells in the transaction whether the form's row may have been lost. A server that is accepted after the asking, or while the transaction
 * waits for its turn, raises every connection's version. One that is accepted later finds the form in its rows.
 */
async function askWhatWasLost({ store }: Services, shop: string): Promise<(now: ConnectionRecord) => boolean> {
  const { server, shared } = store;
  if (!server) return () => false;
  const before = shared && (await store.connections.find({ shop, current: true }));
  const { changedMsAgo } = await server.read();
  const isRecent = changedMsAgo !== null && changedMsAgo < PRESSES_AGAIN_WITHIN_MS;
  // Where one process has the database, none is accepted while forms are.
  if (!shared) return () => isRecent;
  return ({ id, version }) => isRecent || id !== before?.id || version !== before.version;
}

/** The same form may have been sent before, and its row be lost: what it may have made is looked for, and its owner asked. */
async function announceAsUnclear(
  { random, clock, settings }: Services,
  tables: Tables,
  { draft, workItemId }: { draft: DraftRecord; workItemId: string },
): Promise<void> {
  const nowMs = clock.nowMs();
  await tables.pendingWrites.insert({
    id: random.id(),
    shop: draft.shop,
    connectionId: draft.connectionId,
    workItemId,
    operation: "create",
    templateId: null,
    locationId: null,
    marker: null,
    payload: draft.draft,
    alike: [],
    committedAtMs: nowMs,
    quarantineUntilMs: nowMs + settings.quarantineMs,
    notedAtMs: null,
  });
}

/** An edit keeps the marker of a location's template; what is made by hand, copies included, has none. */
function aliasOf(
  draft: TemplateDraft,
  base: AddressTemplate | null,
  { aliasLimit }: Pick<ConnectionRecord, "aliasLimit">,
): string {
  const words = withoutMarker(draft.alias_name);
  if (!base) return words;
  return words === withoutMarker(base.alias_name) ? base.alias_name : keepingMarker(words, base.alias_name, aliasLimit);
}
