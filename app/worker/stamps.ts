import type { Services, Table, Tables } from "../ports.ts";

/**
 * Corrects times of past events in rows that a process with a wrong clock wrote, so that no history shows tomorrow. Times later than now
 * are moved back until the latest is now; their order stays. Which reading of a template is the newest does not depend on this
 * (`book/number-readings.ts`).
 */

type RecordOf<T> = T extends Table<infer R> ? R : never;
/**
 * Times that may lie ahead. `redate.ts` and the quarantines correct those. A token's expiry needs no correction: a refused token is
 * renewed.
 */
type Ahead = "dueAtMs" | "leaseUntilMs" | "quarantineUntilMs" | "backoffUntilMs" | "nextPollAtMs" | "tokenExpiresAtMs";
/** Times of Shopify's clock, which are compared with each other alone. */
type OfShopify = `shopify${string}`;
type StampOf<R> = Exclude<Extract<keyof R, `${string}Ms`>, Ahead | OfShopify>;

/** Every other time of every record. A time that is missing here does not compile. */
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
  },
  locations: { deletedAtMs: true, readAtMs: true, absentSinceMs: true, behindSinceMs: true },
  details: { confirmedAtMs: true },
  links: { missingSinceMs: true, syncedAtMs: true, checkedAtMs: true },
  templates: { readAtMs: true, absentSinceMs: true, unlistedSinceMs: true, aloneAtMs: true, disputedSinceMs: true },
  verifications: { askedAtMs: true, changedAtMs: true, checkedAtMs: true, movedAtMs: true },
  workItems: { failingSinceMs: true, pendingSinceMs: true, updatedAtMs: true },
  pendingWrites: { committedAtMs: true, notedAtMs: true },
  receipts: { receivedAtMs: true },
  drafts: { createdAtMs: true, endedAtMs: true },
  activity: { atMs: true },
  jobs: { createdAtMs: true, endedAtMs: true },
  jobItems: {},
  moves: { passedAtMs: true },
  flowOrigins: {},
  flowEvents: { atMs: true },
};

type Fields = Record<string, unknown>;
type AnyTable = Table<Fields>;

const FIELDS = Object.entries(STAMPS).map(([name, fields]) => [name as keyof Tables, Object.keys(fields)] as const);

/** Moves back the times later than now, in every shop that has any. Resolves to how many. */
export async function pullBack({ store, clock, log }: Pick<Services, "store" | "clock" | "log">): Promise<number> {
  let moved = 0;
  for (const { shop } of await store.shops.list({})) {
    if (!(await isAhead(store, { shop, nowMs: clock.nowMs() }))) continue;
    try {
      moved += await store.transaction(shop, (tables) => pullBackShop(tables, { shop, nowMs: clock.nowMs() }));
    } catch (error) {
      log.error({ shop, error }, "times ahead of now were not moved back");
    }
  }
  return moved;
}

/** Whether a shop has a time ahead. Only four times are looked at, because every process soon writes one of them. */
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
    // The earliest first, so that a time that was moved is not matched again.
    for (const time of [...times].sort((a, b) => a - b))
      moved += await table.update({ shop, [field]: time }, { [field]: time - (latestMs - nowMs) });
  return moved;
}
