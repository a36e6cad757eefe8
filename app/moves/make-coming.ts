import { composeOrigin } from "../domain/address/compose.ts";
import { addressText } from "../domain/address/text.ts";
import { NO_CONTACT } from "../domain/new-records.ts";
import { markerIn } from "../domain/marker.ts";
import { templateWith, valuesOfDraft } from "../domain/plan/three-way.ts";
import { asShortened, createBody, draftFor } from "../domain/plan/plan.ts";
import type { AddressTemplate, MoveRecord, TemplateDraft, TemplateRecord } from "../domain/records.ts";
import type { ServiceProblem } from "../domain/errors.ts";
import type { Tables, Transaction } from "../ports.ts";
import { alikeBefore, unreadableBefore } from "../book/alike-before.ts";
import { awaitBook, awaitConfirmedBook, refuseUnreadable } from "../book/await-book.ts";
import { refuseCreate } from "../book/read-book-since.ts";
import { unreadableRow } from "../book/hidden-create.ts";
import { keepTemplate } from "../book/keep-template.ts";
import { believeMade } from "../book/made-answer.ts";
import { recordLeftOver } from "../book/record-left-over.ts";
import { learnAliasLimit } from "../book/short-aliases.ts";
import { knownBook } from "../readings/known-rows.ts";
import { refOf } from "../runs/circuit-breaker.ts";
import { commit, superseded, unexpected } from "../runs/run.ts";
import type { Run, RunEnd } from "../runs/run.ts";
import type { ReadableAccount } from "../runs/shipping-account.ts";
import { writeOnce } from "../runs/write-once.ts";
import { askCarriers } from "../verification/want-verification.ts";
import { isServed, noteMove, readPlaceFacts, stillComing, untilHour } from "./move-facts.ts";
import type { MoveFacts } from "./move-facts.ts";

type Gate = () => Promise<RunEnd | { account: ReadableAccount }>;

/** Makes the coming template by the protocol of every create. Its carriers are asked at once. */
export async function makeComing(run: Run, facts: MoveFacts, open: Gate): Promise<RunEnd> {
  const { item } = run;
  const { move, connection } = facts;
  const attributes = comingAttributes(facts);
  if (!attributes) return keepRefusal(run, facts, { code: "incomplete", message: null, fields: null, requestId: null });
  // What the service has refused is not sent again before somebody has said something new.
  const isNews = item.generation > item.observedGeneration || move.refusal?.code === "incomplete";
  if (move.refusal && !isNews) return untilHour(run, facts);
  // It was there, or the hour has come before it was: its owner says whether it is made again.
  if (move.asks !== null && move.refusal?.code !== "incomplete") return untilHour(run, facts);
  if (connection.bookReadAtMs === null) return awaitBook(run);
  const unreadable = await refuseUnreadable(run);
  if (unreadable) return unreadable;
  const said = draftOf(facts, attributes);
  // What is there was made by the create that nobody followed, which may have said something else.
  const saidBefore = move.sent ?? said;
  const known = await takeKnown(run, facts, saidBefore);
  if (known) return known;
  if (connection.bookConfirmedAtMs === null) return awaitConfirmedBook(run);
  const gate = await open();
  if (!("account" in gate)) return gate;
  if (move.sent) {
    const end = await refuseCreate(run, { ref: refOf(connection), account: gate.account });
    if (end) return end;
    // That may have read the book anew, which then shows what the earlier create made.
    const since = await takeKnown(run, facts, saidBefore);
    if (since) return since;
  }
  return create(run, facts, said);
}

/** What the coming template says; null while something is missing. */
function comingAttributes({ move, shop, location, details }: MoveFacts) {
  const { address, postal } = location;
  const held = { values: move.place, against: addressText(address), why: "moved" } as const;
  const said = { contact: details?.contact ?? NO_CONTACT, split: null, held };
  return composeOrigin({ address, postal, defaults: shop.contact, details: said }).attributes;
}

function draftOf(
  { move, shop, location, connection }: MoveFacts,
  attributes: NonNullable<ReturnType<typeof comingAttributes>>,
): TemplateDraft {
  // The former one is the account's default until the day.
  const policies = { ...shop.policies, defaultLocationId: null };
  return draftFor({ location, policies, link: null, connection, details: { marker: move.marker } }, attributes);
}

async function create(run: Run, facts: MoveFacts, draft: TemplateDraft): Promise<RunEnd> {
  const { services } = run;
  const { move, connection } = facts;
  const { locationId, marker } = move;
  const ref = refOf(connection);
  const readable = connection.aliasLimit === null ? await alikeBefore(services, { ref, payload: draft }) : null;
  const alike = [...(readable ?? []), ...(await unreadableBefore(services, { ref, payload: draft }))];
  const written = await writeOnce(run, {
    ref,
    pendingWrite: { operation: "create", templateId: null, locationId, marker, payload: draft, alike },
    stillHolds: (tables) => stillWanted(run, tables, facts),
    send: async (account, options) => {
      const said = { ref, payload: draft, alike: readable && alike, locationId: null };
      return believeMade(services.store, said, await account.create(createBody(draft), options));
    },
  });
  if (written.kind === "not_found") throw unexpected("create", written.requestId);
  if (written.kind === "refused") {
    await commit(run, (tables) => tables.pendingWrites.delete({ id: written.pendingWriteId }));
    return keepRefusal(run, facts, refusalOf(written.problem));
  }
  const { value: template, requestId, pendingWriteId } = written;
  await commit(run, async (tables) => {
    await tables.pendingWrites.delete({ id: pendingWriteId });
    const row = await keepTemplate(services, tables, { ref, template, answers: { to: "create" } });
    await learnAliasLimit(tables, { ref, said: draft.alias_name, answer: template });
    await keepMade(run, tables, { facts, row, said: draft, base: template, requestId });
  });
  services.wake();
  return untilHour(run, facts);
}

/** Nobody called it off, paused it or put it away, or said anything else, since the run began. */
async function stillWanted(run: Run, tables: Tables, { move, shop, details }: MoveFacts): Promise<boolean> {
  const { id, generation } = run.item;
  if ((await tables.workItems.count({ id, generation })) === 0) return false;
  const now = await readPlaceFacts(tables, move);
  if (!now || !isServed(now)) return false;
  if (now.shop.revision !== shop.revision || now.details?.revision !== details?.revision) return false;
  return (await stillComing(tables, move))?.templateId === null;
}

/** The coming template is there. Of one that was called off meanwhile the address book shows that it is nobody's. */
export async function keepMade(
  run: Run,
  tables: Transaction,
  {
    facts,
    row,
    said,
    base,
    requestId,
  }: {
    facts: MoveFacts;
    row: TemplateRecord;
    /** By our create. */
    said: TemplateDraft;
    /** The service's answer to it; absent where that was lost. */
    base?: AddressTemplate;
    requestId: string | null;
  },
): Promise<void> {
  const { services } = run;
  const { location, shop } = facts;
  const { templateId } = row;
  const ref = refOf(facts.connection);
  const now = await stillComing(tables, facts.move);
  if (!now) return recordLeftOver(services, tables, { location, templateId });
  const { locationId, marker } = now;
  const sent = asShortened(said, row.template);
  const answered = base ?? templateWith(row.template, valuesOfDraft(sent));
  const move: MoveRecord = { ...now, templateId, sent, answered, refusal: null };
  await tables.moves.update({ shop: now.shop, locationId, marker }, move);
  await noteMove(services, tables, {
    facts: { move, location },
    kind: "template_created",
    outcome: "done",
    actor: "sync",
    requestId,
  });
  const { carriers } = shop.policies;
  if (carriers.length === 0) return;
  const known = await tables.verifications.list({ shop: now.shop, connectionId: ref.id, templateId });
  const asked = new Set(known.filter(({ question }) => question !== null).map(({ carrier }) => carrier));
  const open = carriers.filter((carrier) => !asked.has(carrier));
  if (open.length > 0) await askCarriers(services, tables, { ref, row, carriers: open, known });
}

/** How a run ends whose template is in the book already, by its marker; null where it is not. A row with the marker that cannot be read may be it. */
async function takeKnown(run: Run, facts: MoveFacts, said: TemplateDraft): Promise<RunEnd | null> {
  const { marker } = facts.move;
  const ref = refOf(facts.connection);
  const connection = await run.services.store.connections.find({ id: ref.id, version: ref.version });
  if (!connection) throw superseded("the connection has changed");
  const { index } = await knownBook(run.services, connection);
  const [there] = index.marked(marker);
  const hidden = connection.bookUnreadable.find(({ name }) => name !== null && markerIn(name) === marker);
  if (!there && hidden) throw unreadableRow(hidden);
  if (!there) return null;
  const templateId = there.template.id;
  await commit(run, async (tables) => {
    const row = await tables.templates.find({ shop: ref.shop, connectionId: ref.id, templateId });
    if (row) await keepMade(run, tables, { facts, row, said, requestId: null });
  });
  run.services.wake();
  return untilHour(run, facts);
}

function refusalOf(problem: ServiceProblem): NonNullable<MoveRecord["refusal"]> {
  const { message, serviceMessage, fields, requestId } = problem;
  return { code: "refused_by_service", message: message ?? serviceMessage, fields, requestId };
}

async function keepRefusal(run: Run, facts: MoveFacts, refusal: NonNullable<MoveRecord["refusal"]>): Promise<RunEnd> {
  const { shop, locationId, marker, refusal: before } = facts.move;
  await commit(run, async (tables) => {
    await tables.moves.update({ shop, locationId, marker, state: "coming" }, { refusal });
    if (refusal.code === "incomplete" && before?.code === "incomplete") return;
    const said = Object.entries(refusal.fields ?? {});
    await noteMove(run.services, tables, {
      facts,
      ...(refusal.code === "incomplete"
        ? { kind: "move_incomplete", outcome: "waiting", actor: "app" }
        : { kind: "template_refused", outcome: "failed", actor: "service" }),
      fields: said.map(([field, messages]) => ({ field, from: null, to: messages.join("; ") })),
      requestId: refusal.requestId,
      detail: refusal.message,
    });
  });
  return untilHour(run, facts);
}
