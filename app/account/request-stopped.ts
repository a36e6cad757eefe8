import { NEVER_MS } from "../domain/backoff.ts";
import { chunksOf } from "../domain/chunks.ts";
import { isClosedReason } from "../domain/closed-reason.ts";
import type { BlockedReason, WorkItem, WorkItemReason } from "../domain/records.ts";
import type { Services, Tables } from "../ports.ts";
import { requestWork } from "../runs/request-work.ts";
import { verificationKey } from "../domain/verification/verification-key.ts";

/** The look at everything that follows an opening requests what it finds to do; what it leaves, or cannot come to, goes by itself then. */
const LOOK_FIRST_MS = 30_000;

/** How many ids one statement names. */
const AT_ONCE = 500;

type Opened = Pick<WorkItem, "shop"> & {
  connectionId: string;
  /** Another connection was in use before. */
  isOther: boolean;
};

/** What a location stopped for by what stands in the address book of the connection in use: of another one it says nothing. */
const OF_THE_BOOK: Record<BlockedReason, boolean> = {
  conflict: true,
  refused_by_service: true,
  missing_there: true,
  template_taken: true,
  adoption_choice: true,
  incomplete: false,
  unconfirmed: false,
  not_connected: false,
  account_unconfirmed: false,
  secret_unreadable: false,
  uninstall_told: false,
};

/**
 * A connection opens: whatever stopped because it was closed goes on, and tells that reason no more. So do the questions to carriers that
 * came to rest while another connection was in use, the moves that were on hold, and the locations that stopped for what stood in that one's
 * address book. Inside the transaction that opens it, for the look at everything that requests such work items too may come late. Not by
 * `requestWork`, one by one: a thousand locations may have stopped.
 */
export async function requestStopped(
  services: Pick<Services, "clock" | "random">,
  tables: Pick<Tables, "workItems" | "verifications">,
  opened: Opened,
): Promise<void> {
  const { shop, isOther } = opened;
  const blocked = await tables.workItems.list({ shop, state: "blocked" });
  const stopped = blocked.filter(
    ({ kind, reason }) => isClosedReason(reason) || (isOther && kind === "location" && isOfTheBook(reason)),
  );
  const questions = await openQuestions(tables, opened);
  const resting = questions.filter(({ state, dueAtMs }) => state === "active" && dueAtMs >= NEVER_MS);
  // On hold, a move looks each hour, and its own hour may come before.
  const held = opened.isOther ? await tables.workItems.list({ shop, kind: "move", state: "active" }) : [];
  await requestAll(services, tables, { shop, workItems: [...stopped, ...resting, ...held] });
  // A run that found another connection in use has not ended yet, and would rest.
  for (const { kind, key } of questions.filter(({ leaseOwner }) => leaseOwner !== null))
    await requestWork(services, tables, { shop, kind, key });
}

function isOfTheBook(reason: WorkItemReason | null): boolean {
  return reason !== null && (OF_THE_BOOK as Partial<Record<WorkItemReason["code"], boolean>>)[reason.code] === true;
}

/** The work items of templates over this connection of which a carrier is still to be asked, or to answer. */
async function openQuestions(
  tables: Pick<Tables, "workItems" | "verifications">,
  { shop, connectionId }: Opened,
): Promise<WorkItem[]> {
  const open = await tables.verifications.list({ shop, connectionId, question: { not: null } });
  const keys = new Set(open.map(({ templateId }) => verificationKey(connectionId, templateId)));
  const workItems: WorkItem[] = [];
  for (const some of chunksOf([...keys], AT_ONCE))
    workItems.push(...(await tables.workItems.list({ shop, kind: "verification", key: { in: some } })));
  return workItems;
}

async function requestAll(
  { clock }: Pick<Services, "clock">,
  tables: Pick<Tables, "workItems">,
  { shop, workItems }: Pick<Opened, "shop"> & { workItems: WorkItem[] },
): Promise<void> {
  const nowMs = clock.nowMs();
  for (const [generation, same] of Map.groupBy(workItems, (item) => item.generation))
    for (const chunk of chunksOf(same, AT_ONCE))
      await tables.workItems.update(
        { shop, id: { in: chunk.map(({ id }) => id) }, generation },
        {
          generation: generation + 1,
          pendingSinceMs: nowMs,
          dueAtMs: nowMs + LOOK_FIRST_MS,
          failures: 0,
          state: "active",
          reason: null,
          updatedAtMs: nowMs,
        },
      );
}
