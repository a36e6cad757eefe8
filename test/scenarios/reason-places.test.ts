import { describe, expect, test } from "vitest";
import { waitingWords } from "../../app/components/shell/waiting-words.ts";
import { isWaitReason, REASON_PLACES } from "../../app/domain/reason-places.ts";
import type { WorkItemReason, WorkItem } from "../../app/domain/records.ts";
import { addLanguage, languageInstance } from "../../app/i18n/i18n.ts";
import englishWords from "../../app/i18n/locales/en.ts";
import spanishWords from "../../app/i18n/locales/es-MX.ts";
import { readHome } from "../../app/pages/read-home.ts";
import { readOrigin } from "../../app/pages/read-origin.ts";
import { readTemplate } from "../../app/pages/read-template.ts";
import {
  SHOP,
  addressTemplate,
  detailsRecord,
  draftRecord,
  linkRecord,
  locationGid,
  locationRecord,
  workItemRecord,
  templateRecord,
} from "../fakes/records.ts";
import { createWorld, shopifyLocation } from "../fakes/world.ts";
import type { World } from "../fakes/world.ts";

/** Whatever a thing waits for or is stopped by, a page tells: every reason there is, and every kind of thing that may give it. */

addLanguage("en", englishWords);
addLanguage("es-MX", spanishWords);

const MINUTE_MS = 60_000;
const CODES = Object.keys(REASON_PLACES) as WorkItemReason["code"][];
const WHO_STANDS = ["location", "template", "verification", "reconcile"] as const;

/** A location that is in step with its template, and a change by hand to that template. */
async function staged(workItem: Partial<WorkItem>): Promise<World> {
  const world = await createWorld({ policies: { carriers: [] } });
  const nowMs = world.clock.nowMs();
  const locationId = locationGid(1);
  const template = addressTemplate();
  await world.store.locations.insert(locationRecord({ ...shopifyLocation(1), shop: SHOP }));
  await world.store.details.insert(detailsRecord({ locationId, confirmedAtMs: nowMs }));
  await world.store.links.insert(
    linkRecord({ locationId, templateId: template.id, syncedAtMs: nowMs, differences: [], missingSinceMs: null }),
  );
  await world.store.templates.insert(templateRecord({ templateId: template.id, template }));
  await world.store.drafts.insert(draftRecord({ operation: "update", templateId: template.id }));
  await world.store.workItems.insert(workItemRecord({ key: keyOf(workItem.kind, template.id), ...workItem }));
  return world;
}

function keyOf(kind: WorkItem["kind"] | undefined, templateId: string): string {
  switch (kind) {
    case "template":
      return "draft-1";
    case "verification":
      return `connection-1:${templateId}`;
    case "reconcile":
      return "shop";
    default:
      return locationGid(1);
  }
}

const reasonOf = (world: World, code: WorkItemReason["code"]): WorkItemReason => ({
  ...{ code, message: "Servicio en mantenimiento", fields: null, requestId: "request-7" },
  atMs: world.clock.nowMs() - MINUTE_MS,
});

async function stand(kind: WorkItem["kind"], code: WorkItemReason["code"], over: Partial<WorkItem>) {
  const world = await staged({ kind });
  const nowMs = world.clock.nowMs();
  const reason = reasonOf(world, code);
  await world.store.workItems.update({ shop: SHOP, kind }, { reason, dueAtMs: nowMs + MINUTE_MS, ...over });
  const home = (await readHome(world.services, { shop: SHOP }))!;
  return { world, told: [...home.needs, ...home.troubles].map(({ failure }) => failure) };
}

describe.each(WHO_STANDS)("a %s that something was asked of eleven minutes ago", (kind) => {
  const longAgo = (world: { clock: { nowMs(): number } }) => world.clock.nowMs() - 11 * MINUTE_MS;

  test.each(CODES)("and that waits (%s) is on Home, with the reason and since when", async (code) => {
    const pendingSinceMs = longAgo(await createWorld());
    const { told } = await stand(kind, code, { generation: 2, observedGeneration: 1, pendingSinceMs });
    expect(told).toMatchObject([{ code, serviceMessage: "Servicio en mantenimiento", requestId: "request-7" }]);
    expect(told[0]!.sinceMs).not.toBeNull();
  });

  test.each(CODES)("and that has failed once since it began to go itself (%s) is on Home", async (code) => {
    const world = await createWorld();
    const failing = { failures: 1, failingSinceMs: world.clock.nowMs() - MINUTE_MS };
    const { told } = await stand(kind, code, {
      generation: 2,
      observedGeneration: 1,
      pendingSinceMs: longAgo(world),
      ...failing,
    });
    expect(told).toMatchObject([{ code }]);
  });
});

test.each(WHO_STANDS)(
  "a %s that was asked for a minute ago and has failed five times since is on Home",
  async (kind) => {
    const sinceMs = (await createWorld()).clock.nowMs() - MINUTE_MS;
    const failing = { failures: 5, failingSinceMs: sinceMs, pendingSinceMs: sinceMs };
    const { told } = await stand(kind, "server_error", { generation: 2, observedGeneration: 1, ...failing });
    expect(told).toMatchObject([{ code: "server_error", serviceMessage: "Servicio en mantenimiento" }]);
  },
);

test("what waits for a service that has answered nothing since is told by the banner of the connection, and by that alone", async () => {
  const nowMs = (await createWorld()).clock.nowMs();
  const { world } = await stand("location", "transport", {
    generation: 2,
    observedGeneration: 1,
    pendingSinceMs: nowMs - 11 * MINUTE_MS,
  });
  const home = async (lastSuccessAtMs: number) => {
    await world.store.connections.update({ shop: SHOP }, { failures: 3, lastFaultKind: "transport", lastSuccessAtMs });
    return (await readHome(world.services, { shop: SHOP }))!;
  };
  expect(await home(nowMs - 12 * MINUTE_MS)).toMatchObject({ connection: { health: "failing" }, troubles: [] });
  expect(await home(nowMs - MINUTE_MS)).toMatchObject({
    troubles: [{ trouble: "waiting", origins: [{ legacyId: "1" }] }],
  });
});

/** What its owner, or another run, has mended since: the origin is shown to move. */
const MENDED: readonly WorkItemReason["code"][] = ["incomplete", "unconfirmed", "conflict", "missing_there"];

describe.each(WHO_STANDS)("a %s that was stopped by what holds no longer", (kind) => {
  const stopped = { generation: 1, observedGeneration: 1, state: "blocked", pendingSinceMs: null } as const;

  test.each(CODES.filter((code) => !MENDED.includes(code)))("is on Home (%s)", async (code) => {
    const { world, told } = await stand(kind, code, stopped);
    const { origins, needs } = (await readHome(world.services, { shop: SHOP }))!;
    expect(told.length).toBeGreaterThan(0);
    if (kind !== "location") return;
    expect(origins.ready).toBe(0);
    if (needs.length === 0) expect(told).toMatchObject([{ code }]);
  });
});

test.each(MENDED)("an origin that was stopped (%s), which has been mended since, is under way", async (code) => {
  const { world } = await stand("location", code, {
    generation: 1,
    observedGeneration: 1,
    state: "blocked",
    pendingSinceMs: null,
  });
  expect((await readHome(world.services, { shop: SHOP }))!.origins).toMatchObject({
    ready: 0,
    underWay: 1,
  });
});

describe("its own page", () => {
  const pending = { generation: 2, observedGeneration: 1 };

  test.each(CODES.filter(isWaitReason))("of a location says that it waits, and for what (%s)", async (code) => {
    const { world } = await stand("location", code, pending);
    const page = (await readOrigin(world.services, { shop: SHOP, locationId: locationGid(1) }))!;
    expect(page).toMatchObject({ state: "waiting", reasonCode: code });
    if (REASON_PLACES[code] === "other") expect(page.failure).toMatchObject({ code });
  });

  test.each(CODES.filter(isWaitReason))("of a template says what the change by hand waits for (%s)", async (code) => {
    const { world } = await stand("template", code, pending);
    const page = (await readTemplate(world.services, { shop: SHOP, templateId: addressTemplate().id }))!;
    expect(page.change).toMatchObject({ code });
  });

  test.each(CODES.filter(isWaitReason))(
    "of a location that waits long does not call a look again news (%s)",
    async (code) => {
      const world = await createWorld();
      const nowMs = world.clock.nowMs();
      const looking = { dueAtMs: nowMs, leaseOwner: "worker", leaseUntilMs: nowMs + MINUTE_MS };
      const pendingSinceMs = nowMs - 11 * MINUTE_MS;
      const { world: staged } = await stand("location", code, { ...pending, ...looking, pendingSinceMs });
      const page = (await readOrigin(staged.services, { shop: SHOP, locationId: locationGid(1) }))!;
      expect(page).toMatchObject({ state: "waiting", failure: { code } });
    },
  );
});

describe.each(["en", "es-MX"] as const)("in %s", (language) => {
  const { i18n } = languageInstance(language)!;

  test.each(CODES)("there are words for %s", (code) => {
    const t = i18n.getFixedT(null, ["origin", "origins", "faults"]) as Parameters<typeof waitingWords>[0];
    const words = waitingWords(t, code);
    expect(words).toMatch(/^[A-ZÁÉÍÓÚ].{20,}\.$/);
    expect(words).not.toContain(code.includes("_") ? code : `.${code}`);
    if (!isWaitReason(code)) return;
    expect(i18n.exists(`addressBook:trouble.because.${code}`)).toBe(true);
    expect(i18n.exists(`origins:reason.${code}`)).toBe(true);
  });
});
