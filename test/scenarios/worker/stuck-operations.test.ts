import { describe, expect, test } from "vitest";
import { keepsFailing } from "../../../app/domain/failing.ts";
import type { WorkItemKind, WorkItem } from "../../../app/domain/records.ts";
import { receiveWebhook } from "../../../app/shop/receive-webhook.ts";
import { removeTemplate } from "../../../app/origins/remove-template.ts";
import { requestVerification } from "../../../app/verification/request-verification.ts";
import { saveTemplate } from "../../../app/by-hand/save-template.ts";
import { verificationKey } from "../../../app/domain/verification/verification-key.ts";
import { locationGid, SHOP } from "../../fakes/records.ts";
import { PROMPT } from "../../fakes/shipping/network.ts";
import type { CallOutcome, ServiceRequest } from "../../fakes/shipping/network.ts";
import { createWorld, mexicanAddress, shopifyLocation } from "../../fakes/world.ts";
import type { World } from "../../fakes/world.ts";
import { IS_WHOLE } from "../../whole.ts";

/**
 * Every operation that can be stuck, in every way in which it can fail for good: the others go on, its owner is told within a quarter of
 * an hour, and it costs little. GET, PATCH and the list have more tests of their own in stuck.test.ts.
 */

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const WORDS = "Se cayó el servidor de plantillas";
/** The look at everything, every six hours, reads the one page of the book twice where something was not found. */
const LOOK_CALLS = 2;

const failing = (answer: CallOutcome["answer"], effectAfterMs: number | null = null): CallOutcome => ({
  arrivesAfterMs: 20,
  effectAfterMs,
  answer,
});
const said = (status: number, body: string) => failing({ kind: "said", status, body, afterMs: 100 });
const inWords = JSON.stringify({ message: WORDS });

const OUTCOMES: Record<string, CallOutcome> = {
  "answers 500": said(500, inWords),
  "is silent": failing({ kind: "silence" }),
  "resets the connection": failing({ kind: "reset", afterMs: 100 }),
  "asks to slow down": said(429, inWords),
  "asks to slow down for a second": failing({ kind: "rate_limited", afterMs: 100 }),
  "answers a proxy's 403": said(403, "<html>no</html>"),
  "answers what nobody can read": said(200, "<html>welcome</html>"),
  redirects: said(302, ""),
  "answers 404, though its GET shows the template,": said(404, inWords),
  // With words of its own it would be a refusal, which blocks and is shown at once.
  "answers 418 without words": said(418, "<html>teapot</html>"),
};

interface Stuck {
  sticks: (templateId: string) => (request: ServiceRequest) => boolean;
  /** Has the app ask for it. */
  ask: (world: World, templateId: string) => Promise<unknown>;
  workItem: (templateId: string) => { kind: WorkItemKind; key: string };
}

const named =
  (operation: ServiceRequest["operation"]) =>
  (templateId: string): ((request: ServiceRequest) => boolean) =>
  (request) =>
    request.operation === operation && (operation === "create" || request.templateId === templateId);

const FIRST = { kind: "location", key: locationGid(1) } as const;
const NEWCOMER = 99;
const DRAFT = { kind: "template", key: "draft-1" } as const;

const OPERATIONS: Record<string, Stuck> = {
  "a location's GET": { sticks: named("get"), ask: (world) => move(world, 1, "900"), workItem: () => FIRST },
  "a location's PATCH": { sticks: named("update"), ask: (world) => move(world, 1, "900"), workItem: () => FIRST },
  "a location's create": {
    sticks: named("create"),
    ask: async (world) => {
      await world.addLocation(NEWCOMER);
      await tell(world, NEWCOMER);
    },
    workItem: () => ({ kind: "location", key: locationGid(NEWCOMER) }),
  },
  "a location's DELETE": {
    sticks: named("delete"),
    ask: (world) => {
      world.shopify.put(SHOP, shopifyLocation(1, { isActive: false }));
      return tell(world, 1);
    },
    workItem: () => FIRST,
  },
  "a template's verification": {
    sticks: named("verify"),
    ask: async ({ services }, templateId) => {
      await requestVerification(services, { shop: SHOP, templateId, carriers: ["fedex"] });
      services.wake();
    },
    workItem: (templateId) => ({ kind: "verification", key: verificationKey("connection-1", templateId) }),
  },
  "a create by hand": {
    sticks: named("create"),
    ask: ({ services, account }, templateId) => {
      const { address } = account.templates.get(templateId)!;
      const draft = { alias_name: "A mano", address_type: "from", address_attributes: { ...address } };
      return leave(saveTemplate(services, { shop: SHOP, draftId: DRAFT.key, templateId: null, draft, base: null }));
    },
    workItem: () => DRAFT,
  },
  "a change by hand": {
    sticks: named("update"),
    ask: ({ services, account }, templateId) => {
      const base = structuredClone(account.templates.get(templateId)!);
      const { alias_name, address_type, address } = base;
      const draft = { alias_name, address_type, address_attributes: { ...address, reference: "Otra puerta" } };
      return leave(saveTemplate(services, { shop: SHOP, draftId: DRAFT.key, templateId, draft, base }));
    },
    workItem: () => DRAFT,
  },
  "a deletion by hand": {
    sticks: named("delete"),
    ask: ({ services }, templateId) => leave(removeTemplate(services, { shop: SHOP, draftId: DRAFT.key, templateId })),
    workItem: () => DRAFT,
  },
  "the list": {
    sticks: () => (request) => request.operation === "list",
    ask: async (world) => {
      await world.requestWork("reconcile", "shop");
      world.services.wake();
    },
    workItem: () => ({ kind: "reconcile", key: "shop" }),
  },
};

/** A page waits for it on the virtual clock, which the test moves. */
function leave(page: Promise<unknown>): Promise<void> {
  page.catch(() => undefined);
  return Promise.resolve();
}

let webhooks = 0;

async function tell({ services }: World, number: number): Promise<void> {
  webhooks += 1;
  const webhook = { topic: "locations/update", webhookId: `w${webhooks}`, payload: { id: number } };
  await receiveWebhook(services, { shop: SHOP, ...webhook });
}

async function move(world: World, number: number, to: string): Promise<void> {
  world.shopify.put(SHOP, shopifyLocation(number, { address: mexicanAddress({ number: to }) }));
  await tell(world, number);
}

async function staged(others: number, { sticks, ask, workItem }: Stuck, outcome: CallOutcome) {
  const world = await createWorld({ policies: { onDeactivate: "delete", carriers: ["fedex"] } });
  const keys: string[] = [];
  for (let number = 1; number <= others + 1; number += 1) keys.push(await world.addLocation(number));
  const worker = world.start();
  await world.runFor(4 * MINUTE_MS);
  const templateId = world.templateOf(keys[0]!)!.id;
  const isStuck = sticks(templateId);
  world.outcomeOf = (_operation, request) => (isStuck(request) ? outcome : PROMPT);
  const sinceMs = world.clock.nowMs();
  await ask(world, templateId);
  const { kind, key } = workItem(templateId);
  return {
    world,
    keys,
    sinceMs,
    stuck: (): Promise<WorkItem> => world.workItem(kind, key),
    calls: (fromMs: number, untilMs: number) =>
      world.requests.filter(({ atMs }) => atMs >= sinceMs + fromMs && atMs < sinceMs + untilMs).length,
    stop: () => world.clock.runWhile(worker.stop()),
  };
}

test("a location that always fails and of which Shopify tells every minute is tried once each time, and told all the while", async () => {
  const stage = await staged(1, OPERATIONS["a location's GET"]!, OUTCOMES["answers 500"]!);
  const { world } = stage;
  await world.runFor(15 * MINUTE_MS);
  for (let minute = 0; minute < 60; minute += 1) {
    await tell(world, 1);
    await world.runFor(MINUTE_MS);
    expect(keepsFailing(await stage.stuck(), world.clock.nowMs())).toBe(true);
  }
  // Its own call, and the question whether the service answers anybody.
  expect(stage.calls(15 * MINUTE_MS, 75 * MINUTE_MS)).toBeLessThanOrEqual(2 * 60 + LOOK_CALLS);
  world.outcomeOf = () => PROMPT;
  await tell(world, 1);
  await world.runFor(10_000);
  expect(world.templateOf(locationGid(1))!.address.street_number).toBe("900");
  await stage.stop();
});

const CASES = Object.keys(OPERATIONS).flatMap((operation) =>
  Object.keys(OUTCOMES)
    // What a deletion says beside its status is not read, and what the list refuses is the connection's.
    .filter(
      (outcome) =>
        !(operation.includes("DELETE") || operation.includes("deletion")) || outcome !== "answers what nobody can read",
    )
    .filter((outcome) => operation !== "the list" || outcome !== "answers a proxy's 403")
    // A 404 to the GET itself is how a template is told to be gone.
    .filter((outcome) => !operation.includes("GET") || !outcome.includes("404"))
    .map((outcome) => [operation, outcome] as const),
);

describe.each(CASES)("%s that always %s", (operation, outcome) => {
  const stuck = OPERATIONS[operation]!;

  // How many wait behind it does not depend on how it fails: ten of them only once an operation.
  test.each(outcome === "answers 500" ? [10, 1] : [1])(
    "holds up none of %d others, and is told within a quarter of an hour",
    async (others) => {
      const stage = await staged(others, stuck, OUTCOMES[outcome]!);
      const { world, keys, sinceMs } = stage;
      for (let round = 1; round <= 3; round += 1) {
        for (let index = 1; index <= others; index += 1) await move(world, index + 1, String(1_000 * round + index));
        await world.runFor(2 * MINUTE_MS);
        const there = keys.slice(1).map((key) => world.templateOf(key)?.address.street_number);
        expect(there).toEqual(keys.slice(1).map((_, index) => String(1_000 * round + index + 1)));
      }
      await world.runFor(sinceMs + 15 * MINUTE_MS - world.clock.nowMs());
      const item = await stage.stuck();
      expect(keepsFailing(item, world.clock.nowMs())).toBe(true);
      const { reason } = item;
      const itsRequests = world.requests.map(({ requestId }) => requestId);
      expect(itsRequests).toContain(reason?.requestId);
      if (OUTCOMES[outcome]!.answer.kind === "said" && JSON.stringify(OUTCOMES[outcome]).includes(WORDS))
        expect(reason?.message).toBe(WORDS);
      await stage.stop();
    },
  );

  // A short run counts the calls of each way to fail at one operation, and of one way at every operation.
  const isCounted = IS_WHOLE || outcome === "answers 500" || operation === CASES[0]![0];
  test.runIf(isCounted)("costs at most 60 calls in its first hour and 12 an hour after", async () => {
    const stage = await staged(1, stuck, OUTCOMES[outcome]!);
    await stage.world.runFor(6 * HOUR_MS);
    expect(stage.calls(0, HOUR_MS)).toBeLessThanOrEqual(60);
    for (let fromMs = HOUR_MS; fromMs <= 5 * HOUR_MS; fromMs += 20 * MINUTE_MS)
      expect(stage.calls(fromMs, fromMs + HOUR_MS)).toBeLessThanOrEqual(12 + LOOK_CALLS);
    await stage.stop();
  });
});
