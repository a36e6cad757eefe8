import { randomBytes } from "node:crypto";
import { createClock } from "../../../app/adapters/machine/clock.ts";
import { parseKeys } from "../../../app/adapters/store/encryption.ts";
import { createStore } from "../../../app/adapters/store/store.ts";
import { NEVER_MS } from "../../../app/domain/backoff.ts";
import { canonicalAddress } from "../../../app/domain/address/compare.ts";
import type { AddressTemplate, ConnectionRecord, LinkRecord, TemplateDraft } from "../../../app/domain/records.ts";
import { newTemplate } from "../../../app/domain/new-records.ts";
import { DEFAULT_VERIFICATION_WORDS } from "../../../app/domain/verification/verification.ts";
import { createBody, draftFor } from "../../../app/domain/plan/plan.ts";
import type { Log, Store, Tables } from "../../../app/ports.ts";
import { ensureDetails } from "../../../app/origins/ensure-details.ts";
import type { OriginRecords } from "../../../app/readings/read-origin-facts.ts";
import { readOriginFacts } from "../../../app/readings/read-origin-facts.ts";
import type { HomeView } from "../../../app/views/home.ts";
import { startEmbedded } from "../../../scripts/postgres-server.ts";
import { prepareJob } from "../../sandbox/play/job.ts";
import type { Job } from "../../sandbox/play/job.ts";
import { STEPS } from "../../sandbox/play/steps.ts";
import { until } from "../../sandbox/play/until.ts";
import { startSandbox } from "../../sandbox/start.ts";
import type { Sandbox } from "../../sandbox/start.ts";
import { isOpen, thousandLocations } from "./thousand-locations.ts";

/**
 * A store that has used the app for long. At two requests a second its first sync alone would take ten minutes, so what came of it is
 * written into the database while the app is stopped; the service has the same templates.
 */

const CARRIERS = ["fedex", "dhl", "estafeta"];
const PATIENCE_MS = 300_000;

const QUIET: Log = { info: () => undefined, warn: console.warn, error: console.error };

export interface BigStore {
  sandbox: Sandbox;
  job: Job;
  /** A location and a template that are in sync, for their own pages. */
  legacyId: string;
  templateId: string;
  stop(): Promise<void>;
}

/** `postgres`: on a server that is started for it, and not on SQLite. */
export async function startBigStore(count: number, { postgres }: { postgres: boolean }): Promise<BigStore> {
  const appKeys = `bench:${randomBytes(32).toString("base64")}`;
  const database = postgres ? await startEmbedded() : null;
  const sandbox = await startSandbox({
    ...(database && { databaseUrl: database.url }),
    shops: 1,
    locale: "en",
    locations: thousandLocations(count),
    appEnv: { APP_KEYS: appKeys, LOG_LEVEL: "warn" },
  });
  try {
    const job = prepareJob(sandbox, { patienceMs: PATIENCE_MS });
    for (const step of STEPS.slice(0, 4)) await step.run(job);
    await sandbox.app.stop();
    const store = await createStore({
      url: database?.url ?? `file:${sandbox.dataDir}/origen.db`,
      keys: parseKeys(appKeys),
      log: QUIET,
    });
    // Where others may be at work the next start looks at everything only if nobody was for a minute.
    for (const chore of ["looking for work", "asking for every reconcile"])
      await (await store.shared?.begin(chore, 0))?.over();
    const first = await writeHistory({ store, job }).finally(() => store.close());
    const startedAtMs = Date.now();
    await sandbox.app.start();
    await until({
      what: "The look at everything after the start",
      read: async () => (await job.visitor.load<{ home: HomeView }>("/app", "routes/app._index")).home,
      holds: ({ reconciledAtMs, queue }) => (reconciledAtMs ?? 0) > startedAtMs && queue.waiting === 0,
      withinMs: PATIENCE_MS,
    });
    const stop = async () => {
      await sandbox.stop();
      await database?.stop();
    };
    return { sandbox, job, stop, ...first };
  } catch (error) {
    await sandbox.stop();
    await database?.stop();
    throw error;
  }
}

async function writeHistory({
  store,
  job,
}: {
  store: Store;
  job: Job;
}): Promise<{ legacyId: string; templateId: string }> {
  const shop = job.shop.domain;
  const clock = createClock();
  const settings = { verificationWords: DEFAULT_VERIFICATION_WORDS };
  const before = await readOriginFacts({ store, clock, settings }, { shop });
  const connection = before!.connection!;
  const done = before!.origins.filter(({ location }) => !isOpen(indexOf(location.name)));
  const nowMs = clock.nowMs();
  let first: LinkRecord | null = null;
  await store.transaction(shop, async (tables) => {
    await tables.shops.update({ shop }, { guideDismissedAtMs: nowMs });
    for (const origin of done) {
      const draft = createBody(draftFor({ ...origin, connection: null }, origin.composed.attributes!));
      const template = makeThere(job, { draft, index: indexOf(origin.location.name) });
      const link = await writeOrigin(tables, { origin, connection, draft, template, nowMs });
      first ??= link;
    }
  });
  return { legacyId: first!["locationId"].split("/").at(-1)!, templateId: first!["templateId"] };
}

const indexOf = (name: string): number => Number(name.split(" ").at(-1)) - 1;

function makeThere(job: Job, { draft, index }: { draft: TemplateDraft; index: number }): AddressTemplate {
  const { clientId } = job.credentials;
  const { id } = job.service.createTemplate(clientId, {
    ...draft,
    address_attributes: { ...draft.address_attributes },
  });
  for (const carrier of CARRIERS) {
    const status = carrier === "dhl" && index % 25 === 1 ? "rejected" : "verified";
    job.service.setVerdict({ templateId: id, carrier, status });
  }
  const { account: _account, ...template } = job.service.templates(clientId, "production").at(-1)!;
  return template as unknown as AddressTemplate;
}

interface OriginInput {
  origin: OriginRecords;
  connection: ConnectionRecord;
  draft: TemplateDraft;
  template: AddressTemplate;
  nowMs: number;
}

async function writeOrigin(
  tables: Tables,
  { origin, connection, draft, template, nowMs }: OriginInput,
): Promise<LinkRecord> {
  const { shop, locationId, name } = origin.location;
  const templateId = template.id;
  const account = { shop, connectionId: connection.id, templateId };
  const link: LinkRecord = {
    ...account,
    id: `link-${templateId}`,
    environment: connection.environment,
    locationId,
    how: "created",
    sent: draft,
    answered: template,
    differences: [],
    choices: [],
    accepted: [],
    unclear: null,
    missingSinceMs: null,
    syncedAtMs: nowMs,
    checkedAtMs: nowMs,
  };
  await ensureDetails(tables, { shop, locationId });
  await tables.details.update({ shop, locationId }, { confirmedAtMs: nowMs, revision: 1 });
  const own = { shop, kind: "location", key: locationId } as const;
  const item = await tables.workItems.find(own);
  if (item)
    await tables.workItems.update(own, {
      state: "active",
      observedGeneration: item.generation,
      reason: null,
      dueAtMs: NEVER_MS,
    });
  await tables.links.insert(link);
  await tables.templates.insert(newTemplate({ ...account, template, readAtMs: nowMs, reading: 1 }));
  for (const {
    carrier_name: carrier,
    status,
    update_state: updateState,
    verification_id: verificationId,
  } of template.verified_carriers) {
    const outcome = status === "verified" ? "accepted" : "refused";
    await tables.verifications.insert({
      ...account,
      carrier,
      outcome,
      status,
      updateState,
      verificationId,
      baseline: [],
      askedAtMs: nowMs,
      changedAtMs: nowMs,
      checkedAtMs: nowMs,
      polls: 1,
      nextPollAtMs: null,
      addressKey: canonicalAddress(template.address),
      timeline: [{ atMs: nowMs, outcome, status }],
      question: null,
      questionKey: null,
      movedAtMs: null,
    });
  }
  const noted = {
    shop,
    locationId,
    locationName: name,
    templateId,
    carrier: null,
    fields: [],
    requestId: null,
    detail: null,
  };
  await tables.activity.insert({
    ...noted,
    id: `made-${templateId}`,
    atMs: nowMs,
    actor: "sync",
    staffId: null,
    kind: "template_created",
    outcome: "done",
    environment: "production",
  });
  return link;
}
