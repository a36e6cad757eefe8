import type { ConnectionRecord, PendingWrite, ShopRecord, WorkItem } from "../../app/domain/records.ts";
import type { Store } from "../../app/ports.ts";

/** All that is known of a shop, as lines for a person, without secrets and without what stands in its addresses. Null: no such shop. */
export async function tellShop(
  store: Store,
  { shop, nowMs }: { shop: string; nowMs: number },
): Promise<string[] | null> {
  const record = await store.shops.find({ shop });
  if (!record) return null;
  const [connections, items, pendingWrites, links, locations, templates, questions, drafts, jobs] = await Promise.all([
    store.connections.list({ shop }),
    store.workItems.list({ shop }),
    store.pendingWrites.list({ shop }),
    store.links.list({ shop }),
    store.locations.count({ shop }),
    store.templates.count({ shop }),
    store.verifications.list({ shop }),
    store.drafts.count({ shop }),
    store.jobs.list({ shop }),
  ]);
  const at = when(nowMs);
  const missing = links.filter(({ missingSinceMs }) => missingSinceMs !== null).length;
  const different = links.filter(({ differences }) => differences.length > 0).length;
  const open = questions.filter(({ question }) => question === "asked");
  const running = jobs.filter(({ state }) => state === "running").length;
  return [
    ...shopLines(record, at),
    "",
    ...connections.flatMap((connection) => connectionLines(connection, at)),
    ...(connections.length === 0 ? ["Connection: none yet"] : []),
    "",
    `Locations: ${locations}, linked: ${links.length}, template missing: ${missing}, with differences: ${different}`,
    `Templates as last read: ${templates}. Changes by hand: ${drafts}. Bulk jobs that run: ${running}`,
    `Questions to carriers: ${open.length} open, of ${questions.length}. Words: ${wordsOf(questions)}`,
    "",
    ...workLines(items, { nowMs, at }),
    "",
    ...pendingLines(pendingWrites, { nowMs, at }),
  ];
}

type At = (ms: number | null) => string;

/** A time, and how long ago or ahead it is. */
function when(nowMs: number): At {
  return (ms) => {
    if (ms === null) return "never";
    const seconds = Math.round(Math.abs(nowMs - ms) / 1_000);
    const [unit, each] =
      seconds < 120 ? (["s", 1] as const) : seconds < 7_200 ? (["min", 60] as const) : (["h", 3_600] as const);
    const far = `${Math.round(seconds / each)} ${unit}`;
    return `${new Date(ms).toISOString().slice(0, 19)}Z (${ms <= nowMs ? `${far} ago` : `in ${far}`})`;
  };
}

function shopLines(record: ShopRecord, at: At): string[] {
  const { shop, policies, access, accessSinceMs, installedAtMs, uninstalledAtMs, uninstallToldAtMs } = record;
  return [
    `${shop}: ${uninstalledAtMs === null ? "installed" : `uninstalled ${at(uninstalledAtMs)}`}, since ${at(installedAtMs)}`,
    `Shopify: ${access}${accessSinceMs === null ? "" : ` since ${at(accessSinceMs)}`}`,
    ...(uninstallToldAtMs === null ? [] : [`An uninstall was told ${at(uninstallToldAtMs)}, and is not confirmed yet`]),
    ...(record.redactToldAtMs === null
      ? []
      : [`Shopify asked to erase it ${at(record.redactToldAtMs)}: npm run redactions`]),
    `Sync: ${policies.syncOn ? "on" : "PAUSED for the whole shop"}; origins: ${policies.locations}; carriers: ${policies.carriers.join(", ") || "none"}`,
    `Everything was last looked at ${at(record.reconciledAtMs)}`,
  ];
}

function connectionLines(connection: ConnectionRecord, at: At): string[] {
  const { environment, clientId, state, current, failures, backoffUntilMs, lastFaultKind: fault } = connection;
  const breaker = failures === 0 && backoffUntilMs === null ? "closed" : `open, next try ${at(backoffUntilMs)}`;
  return [
    `Connection: ${environment}, client id …${clientId.slice(-4)}, ${state}${current ? ", in use" : ""}, version ${connection.version}`,
    ...(current
      ? [
          `  circuit breaker ${breaker}; the service last answered ${at(connection.lastSuccessAtMs)}`,
          `  token until ${at(connection.tokenExpiresAtMs)}`,
        ]
      : []),
    ...(fault === null
      ? []
      : [`  last fault: ${fault}, ${at(connection.lastFaultAtMs)}${quoted(connection.lastFaultMessage)}`]),
  ];
}

function workLines(items: readonly WorkItem[], { nowMs, at }: { nowMs: number; at: At }): string[] {
  const counts = new Map<string, number>();
  for (const { kind, state } of items) counts.set(`${kind} ${state}`, (counts.get(`${kind} ${state}`) ?? 0) + 1);
  const due = items.filter((item) => item.state === "active" && item.leaseUntilMs === null && item.dueAtMs <= nowMs);
  const running = items.filter(({ leaseUntilMs }) => leaseUntilMs !== null && leaseUntilMs > nowMs);
  const faulty = items.filter(({ state, reason }) => state !== "active" || reason !== null);
  return [
    `Work: ${[...counts].map(([name, count]) => `${count} ${name}`).join(", ") || "none"}; ${due.length} due, ${running.length} under way`,
    ...faulty.slice(0, MOST_TOLD).map(({ kind, key, state, failures, reason, dueAtMs }) => {
      const why = reason ? ` ${reason.code}${quoted(reason.message)}, ${at(reason.atMs)}` : "";
      const next = state === "active" ? `; next ${at(dueAtMs)}` : "";
      return `  ${kind} ${key}: ${state}, ${failures} failures;${why}${next}`;
    }),
    ...(faulty.length > MOST_TOLD ? [`  and ${faulty.length - MOST_TOLD} more`] : []),
  ];
}

const MOST_TOLD = 30;

function pendingLines(writes: readonly PendingWrite[], { nowMs, at }: { nowMs: number; at: At }): string[] {
  return [
    `Writes whose end is unclear: ${writes.length}`,
    ...writes.slice(0, MOST_TOLD).map(({ operation, locationId, templateId, committedAtMs, quarantineUntilMs }) => {
      const rest = quarantineUntilMs > nowMs ? `quarantine until ${at(quarantineUntilMs)}` : "quarantine over";
      return `  ${operation} of ${templateId ?? "a new template"} for ${locationId ?? "no location"}, ${at(committedAtMs)}; ${rest}`;
    }),
  ];
}

function wordsOf(questions: readonly { status?: string | null }[]): string {
  const words = new Set(questions.flatMap(({ status }) => (status ? [status] : [])));
  return [...words].sort().join(", ") || "none";
}

/** The service's own words, which hold no secret: they were cleaned when they came. */
function quoted(words: string | null): string {
  return words === null ? "" : `: “${words.slice(0, 200)}”`;
}
