import type { Services, Table, Tables } from "../ports.ts";

/**
 * When things happened, in rows that a process with a wrong clock wrote: what is dated later than now is moved back, so that the latest of
 * it is now and the order stays: a history with a tomorrow tells nobody anything. Which reading of a template is the newest does not
 * rest on this (`book/number-readings.ts`).
 */

type RecordOf<T> = T extends Table<infer R> ? R : never;
/** Times ahead by their nature; `redate.ts` and the quarantines see to them. A token's expiry does no harm: a refused one is renewed. */
type Ahead = "dueAtMs" | "leaseUntilMs" | "quarantineUntilMs" | "backoffUntilMs" | "nextPollAtMs" | "tokenExpiresAtMs";
type StampOf<R> = Exclude<Extract<keyof R, `${string}Ms`>, Ahead>;

/** Every other time of every record: one that is missing here does not compile. */
const STAMPS: { [N in keyof Tables]: Record<StampOf<RecordOf<Tables[N]>>, true> } = {
  shops: {
    guideDismissedAtMs: true,
    reconciledAtMs: true,
    installedAtMs: true,
    uninstalledAtMs: true,
    accessSinceMs: true,
    refusedAtMs: true,
    uninstallToldAtMs: true,
    forgetDueAtMs: true,
    redactToldAtMs: true,
  },
  connections: {
    tokenObtainedAtMs: true,
    lastFaultAtMs: true,
    lastSuccessAtMs: true,
    bookReadAtMs: true,
    bookConfirmedAtMs: true,
    createdAtMs: true,
  },
  locations: { deletedAtMs: true, readAtMs: true },
  details: { confirmedAtMs: true, updatedAtMs: true },
  links: { missingSinceMs: true, syncedAtMs: true, checkedAtMs: true },
  templates: { readAtMs: true, absentSinceMs: true, unlistedSinceMs: true, aloneAtMs: true, disputedSinceMs: true },
  verifications: { askedAtMs: true, changedAtMs: true, checkedAtMs: true, movedAtMs: true },
  workItems: { failingSinceMs: true, pendingSinceMs: true, createdAtMs: true, updatedAtMs: true },
  pendingWrites: { committedAtMs: true, notedAtMs: true },
  receipts: { receivedAtMs: true },
  drafts: { createdAtMs: true, endedAtMs: true },
  activity: { atMs: true },
  jobs: { createdAtMs: true, endedAtMs: true },
  jobItems: {},
};

type Fields = Record<string, unknown>;
type AnyTable = Table<Fields>;

const FIELDS = Object.entries(STAMPS).map(([name, fields]) => [name as keyof Tables, Object.keys(fields)] as const);

/** Moves back what is dated later than now, shop by shop where anything is. */
export async function pullBack({ store, clock, log }: Pick<Services, "store" | "clock" | "log">): Promise<number> {
  let moved = 0;
  for (const { shop } of await store.shops.list({})) {
    if (!(await isAhead(store, { shop, nowMs: clock.nowMs() }))) continue;
    try {
      moved += await store.transaction((tables) => pullBackShop(tables, { shop, nowMs: clock.nowMs() }));
    } catch (error) {
      log.error({ shop, error }, "times ahead of now were not moved back");
    }
  }
  return moved;
}

/** A process that lived for a moment has written one of these. */
async function isAhead(tables: Tables, { shop, nowMs }: { shop: string; nowMs: number }): Promise<boolean> {
  const later = { gt: nowMs };
  return (
    (await tables.shops.count({ shop, reconciledAtMs: later })) > 0 ||
    (await tables.connections.count({ shop, lastSuccessAtMs: later })) > 0 ||
    (await tables.workItems.count({ shop, updatedAtMs: later })) > 0 ||
    (await tables.activity.count({ shop, atMs: later })) > 0
  );
}

async function pullBackShop(tables: Tables, { shop, nowMs }: { shop: string; nowMs: number }): Promise<number> {
  const ahead: { table: AnyTable; field: string; times: Set<number> }[] = [];
  for (const [name, fields] of FIELDS) {
    const table = tables[name] as unknown as AnyTable;
    for (const field of fields) {
      const rows = await table.list({ shop, [field]: { gt: nowMs } });
      if (rows.length > 0) ahead.push({ table, field, times: new Set(rows.map((row) => row[field] as number)) });
    }
  }
  const latestMs = Math.max(nowMs, ...ahead.flatMap(({ times }) => [...times]));
  let moved = 0;
  for (const { table, field, times } of ahead)
    // The earliest first: a time that was moved already is not met again.
    for (const time of [...times].sort((a, b) => a - b))
      moved += await table.update({ shop, [field]: time }, { [field]: time - (latestMs - nowMs) });
  return moved;
}
