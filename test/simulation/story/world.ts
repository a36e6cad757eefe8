import type { AddressTemplate } from "../../../app/domain/records.ts";
import type { Network } from "../../../app/adapters/shipping/network.ts";
import { createVirtualClock } from "../../fakes/clock.ts";
import { createMachine } from "../../fakes/machine.ts";
import { createMemoryDatabase } from "../../fakes/memory-store.ts";
import type { SeededRandom } from "../../fakes/random.ts";
import { createFakeNetwork } from "../../fakes/shipping/network.ts";
import type { Operation, ServiceRequest } from "../../fakes/shipping/network.ts";
import { createFakeTokens } from "../../fakes/shipping/tokens.ts";
import { createFakeShopify } from "../../fakes/shopify.ts";
import { createShopifyServer } from "../../fakes/shopify-server.ts";
import { createWatch } from "../oracle/watch.ts";
import type { Mutant } from "../mutants/mutant.ts";
import { takenForGone } from "../people/installs.ts";
import { changeBeforeItWakes, shift } from "../people/in-service.ts";
import type { Known, Stage } from "../people/stage.ts";
import { createAccounts } from "./accounts.ts";
import type { Accounts } from "./accounts.ts";
import { createCluster } from "./cluster.ts";
import { createProcessPool } from "./process-pool.ts";
import { countDialect } from "./dialect.ts";
import { furnish } from "./furnish.ts";
import { createPost } from "./post.ts";
import type { Scenery } from "./scenery.ts";
import { isLeftOut } from "./leaves-out.ts";
import { drawOutcome } from "./service-weather.ts";
import { createSessions } from "./sessions.ts";
import { BEHIND_KIND, drawShopifyOutcome, FLOW_KINDS, isUnseen, standsAtMs, UNSEEN_KIND } from "./shopify-weather.ts";
import { tellRun } from "./tell-run.ts";
import { createTally } from "./tally.ts";
import { START_MS } from "./start.ts";
import { brief, createTimeline } from "./timeline.ts";

/**
 * Everything outside the app in one story, and the app's processes in it.
 *
 * Long, because it ties every part of the world to every other, in one order of draws from the seed.
 */

export interface WorldOptions {
  scenery: Scenery;
  random: SeededRandom;
  mutant: Mutant;
  /** Whether the processes have machines and budgets of their own, over what one database promises. */
  cluster: boolean;
  line: ((line: string) => void) | undefined;
}

export type StoryWorld = Awaited<ReturnType<typeof createStoryWorld>>;

export async function createStoryWorld({ scenery, random, mutant, cluster, line }: WorldOptions) {
  const clock = createVirtualClock(START_MS);
  const nowMs = () => clock.nowMs();
  const timeline = createTimeline(nowMs, line);
  const tally = createTally();
  countDialect(tally, scenery);
  const known = nothingKnown();
  const hidesWords = () => isLeftOut(scenery.leavesOut, "get", nowMs()) !== null;
  const accounts = createAccounts(random.fork("service"), { habits: scenery.habits, nowMs, hidesWords });
  const watch = createWatch({
    database: () => database,
    accounts,
    known,
    nowMs,
    allAwake: () => pool.awakeSinceMs() <= nowMs(),
    weather: scenery.weather,
    timeline,
    taken: () => state.flow,
  });
  const sessions = createSessions();
  const database = createMemoryDatabase({
    committed(changes) {
      for (const change of changes) tellRun(timeline, change, nowMs());
      watch.committed(changes);
    },
    forgot(shop) {
      sessions.drop(shop);
      watch.forgot(shop);
      takenForGone(stage, shop);
    },
  });
  const lives = random.fork("token lives");
  const { livesSeconds, refreshes } = scenery.tokens;
  const tokens = createFakeTokens({
    livesSeconds: () => lives.between(...livesSeconds),
    refreshes,
    knows: ({ secret }) => !known.revoked.has(secret),
    enforced: true,
    textNumbers: scenery.habits.textNumbers ?? false,
  });
  const malformed = new Set<string>();
  const network = networkOf({ scenery, random, accounts, tokens, clock, watch, tally, timeline, malformed });
  const state = createFakeShopify(clock);
  // Nothing tells that an answer is behind where no webhook came, as to a shop that has left, or where none is kept, as of a location that was
  // never read.
  const mayTell = (shop: string, locationId: string) =>
    !tally.counts.has("act: uninstall") &&
    [...database.rows("locations")].some((row) => row.shop === shop && row.locationId === locationId);
  state.standsAt = (shop, locationId) =>
    mayTell(shop, locationId) ? standsAtMs(scenery.shopify, { shop, locationId }, nowMs()) : null;
  const troubles = random.fork("shopify");
  const shopifyIds = random.fork("shopify ids");
  const server = createShopifyServer({
    state,
    clock,
    newId: () => shopifyIds.id(),
    livesSeconds: scenery.tokens.shopifyLivesSeconds,
    outcomeOf(call) {
      const { outcome, kind } = drawShopifyOutcome(troubles, { call, weather: scenery.shopify, nowMs: nowMs() });
      if (kind) tally.count(kind);
      return outcome;
    },
    isUnseen: (shop, locationId) => isUnseen(scenery.shopify, { shop, locationId }, nowMs()),
    answered(call, answer, outcome) {
      if (call.operation === "OrigenTellFlow") tally.count(outcome.answer === "true" ? FLOW_KINDS[0] : FLOW_KINDS[1]);
      if (answer.location === null && state.known(call.shop, call.locationId!)) tally.count(UNSEEN_KIND);
      const { location } = answer;
      const truth = location && state.known(call.shop, location.locationId);
      if (truth && location.shopifyAtMs < truth.shopifyAtMs) tally.count(BEHIND_KIND);
      watch.shopifyAnswered(call, answer);
      timeline.tell(
        "shopify",
        () =>
          `${call.operation} ${call.locationId ?? ""} of ${call.shop}: ${answer.status}${outcome.answer === "true" ? "" : ` (weather) ${answer.body.slice(0, 60)}`}${answer.location === undefined ? "" : ` ${answer.location ? `active ${answer.location.isActive}` : "is not there"}`}`,
      );
    },
  });
  const wakes = random.fork("wakes");
  const pool = createProcessPool({
    scenery,
    clock,
    machine: createMachine(clock),
    cluster: cluster ? createCluster({ clock, random: random.fork("cluster"), database, tally, timeline }) : null,
    random,
    mutant,
    database,
    sessions,
    network,
    shopify: server,
    tally,
    timeline,
    starved: ({ shop }, templateId, lastsMs) =>
      changeBeforeItWakes(stage, { random: wakes, shop, templateId, lastsMs }),
    askedUnheard({ shop, id }, templateId) {
      const aloneAtMs = () =>
        [...database.rows("templates")].find((row) => row.connectionId === id && row.templateId === templateId)
          ?.aloneAtMs;
      const before = aloneAtMs();
      const goesOn = watch.service.holdBack(shop, templateId);
      return () => goesOn({ isKept: aloneAtMs() !== before });
    },
    unheard({ shop: reader, clientId, environment }, templateId) {
      const heard = accounts.of(clientId, environment)!.readings.unheard(templateId, { reader, toldAtMs: nowMs() });
      return () => heard(nowMs());
    },
  });
  const post = createPost({
    clock,
    random: random.fork("post"),
    scenery,
    pool,
    timeline,
    sent: (webhook) => watch.sent(webhook),
  });
  const outside = database.open();
  await furnish(scenery, { store: outside, shopify: state, server, sessions, accounts, known, nowMs: START_MS });
  const stage: Stage = {
    random: random.fork("people"),
    scenery,
    shopify: state,
    server,
    sessions,
    accounts,
    tokens,
    database,
    malformed,
    post,
    tally,
    timeline,
    nowMs,
    after: clock.after,
    visit: () => pool.someone(),
    known,
  };
  return { clock, pool, stage, watch, outside, malformed };
}

function nothingKnown(): Known {
  return {
    allowed: new Set(),
    drafts: new Map(),
    older: new Set(),
    away: new Set(),
    disconnected: new Set(),
    revoked: new Set(),
    cancelled: [],
    cancelling: new Set(),
    movesAtMs: new Map(),
  };
}

interface NetworkParts extends Pick<WorldOptions, "scenery" | "random"> {
  accounts: Accounts;
  tokens: ReturnType<typeof createFakeTokens>;
  clock: ReturnType<typeof createVirtualClock>;
  watch: ReturnType<typeof createWatch>;
  tally: ReturnType<typeof createTally>;
  timeline: ReturnType<typeof createTimeline>;
  malformed: ReadonlySet<string>;
}

const VERDICT_AFTER_MS = 30_000;

function networkOf(parts: NetworkParts): Network {
  const { scenery, accounts, tokens, clock, watch, tally, timeline, malformed } = parts;
  const random = parts.random.fork("weather");
  const spoilt = (template: AddressTemplate, operation: Operation): unknown => {
    if (!malformed.has(template.id)) return withoutCarriers(template, operation);
    tally.count("service: malformed row");
    return scenery.malformed?.how === "no_address" ? { ...template, address: null } : template.alias_name;
  };
  const withoutCarriers = (template: AddressTemplate, operation: Operation): unknown => {
    const kind = isLeftOut(scenery.leavesOut, operation, clock.nowMs());
    if (!kind || template.verified_carriers.length === 0) return template;
    tally.count(kind);
    const { verified_carriers: _said, default: _default, ...rest } = template;
    return rest;
  };
  const shiftBook = ({ operation, page, perPage, clientId, environment }: ServiceRequest, status: number) => {
    if (!scenery.shifts || operation !== "list" || page !== 1 || perPage === 1 || status !== 200) return;
    const account = accounts.of(clientId, environment);
    if (clock.nowMs() >= scenery.weather.endsAtMs || !account) return;
    const done = shift(account, clock.nowMs() % 1_000_000);
    if (!done) return;
    tally.count("service: rows move between pages");
    timeline.tell("stranger", () => done);
  };
  return createFakeNetwork({
    clock,
    habits: scenery.habits,
    tokens,
    accountOf: (clientId, environment) => accounts.of(clientId, environment),
    outcomeOf(_operation, request) {
      const { clientId, environment } = request;
      const account = accounts.of(clientId, environment);
      const { outcome, kind } = drawOutcome(random, {
        request,
        account,
        weather: scenery.weather,
        nowMs: clock.nowMs(),
      });
      if (kind) tally.count(kind);
      return outcome;
    },
    arrived: (arrival) => void watch.arrivals.push(arrival),
    shown: scenery.malformed || scenery.leavesOut ? spoilt : undefined,
    left(request, { arrivesAfterMs, effectAfterMs, answer }) {
      const announcedAtMs = watch.left(request);
      const { operation, templateId, reader, body, page } = request;
      const what = operation === "list" ? `page ${page}` : templateId;
      const outcome =
        arrivesAfterMs === null
          ? "never arrives"
          : effectAfterMs === null
            ? "in vain"
            : effectAfterMs > 0
              ? `done after ${effectAfterMs} ms`
              : "done";
      timeline.tell(
        "app",
        () =>
          `-> ${operation} ${what} (${reader}) ${Object.keys(body).length > 0 ? brief(body) : ""} [${outcome}; answer: ${answer.kind}]`,
      );
      return announcedAtMs;
    },
    answered(request, answer) {
      watch.service.answered(request, answer);
      shiftBook(request, answer.status);
      const { operation, templateId } = request;
      const { status, body } = answer;
      timeline.tell(
        "service",
        () => `<- ${operation} ${templateId}: ${status} ${status >= 300 ? body.slice(0, 80) : ""}`,
      );
    },
    verdict(account, templateId, carrier) {
      clock.after(VERDICT_AFTER_MS, () => account.setVerdict(templateId, carrier, "accepted"));
    },
  });
}
