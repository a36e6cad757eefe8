import { expect, test } from "vitest";
import { markerOf } from "../../../app/domain/marker.ts";
import { createMemoryDatabase } from "../../fakes/memory-store.ts";
import {
  addressTemplate,
  connectionRecord,
  detailsRecord,
  draftRecord,
  linkRecord,
  locationGid,
  locationRecord,
  pendingWriteRecord,
  shopRecord,
  SHOP,
} from "../../fakes/records.ts";
import { REFUSED_WORDS } from "../story/stuck.ts";
import { createDeleteWatch } from "./deletes.ts";
import { createDraftEndsWatch, lostDrafts } from "./drafts.ts";

test.each([
  ["the service refuses it for good, in these words", {}, 0],
  ["the service does not refuse it", { stuck: [] }, 1],
  ["the service refuses something else", { operation: "get" }, 1],
  ["its form is not told the words", { message: null }, 1],
  ["it took effect all the same", { heard: true }, 1],
  ["the app's clock was a day ahead when it ended", { endedAtMs: 86_405_000 }, 0],
  ["it ended before the service began to refuse it", { trulyAtMs: 500 }, 1],
])("a change by hand is told to be refused: %s", async (_what, given, objections) => {
  const { operation, message, heard, stuck, endedAtMs, trulyAtMs } = {
    operation: "update",
    message: REFUSED_WORDS,
    heard: false,
    stuck: undefined,
    endedAtMs: 5_000,
    trulyAtMs: 5_000,
    ...given,
  };
  const database = createMemoryDatabase();
  const store = database.open();
  const { id: templateId } = addressTemplate();
  await store.shops.insert(shopRecord());
  await store.connections.insert(connectionRecord());
  const outcome = { kind: "refused", message, fields: null } as const;
  const draft = draftRecord({ operation: "update", templateId, outcome, endedAtMs });
  const draftEnds = createDraftEndsWatch(() => trulyAtMs);
  draftEnds.committed({ table: "drafts", before: null, after: draft });
  await store.drafts.insert(draft);
  const at = { shop: SHOP, locationId: locationGid(1) };
  const sticks = { operation, at, page: null, how: "says_403", takesEffect: false, fromMs: 1_000, untilMs: 9_000 };
  const account = {
    madeFor: new Map([[templateId, markerOf(SHOP, locationGid(1))]]),
    heard: new Set(heard ? [`${templateId} name Ana`] : []),
  };
  const said = { shop: SHOP, operation: "update", templateId, field: "name", value: "Ana" };
  const stage = {
    database,
    accounts: { all: [account] },
    known: { drafts: new Map([[draft.id, said]]) },
    scenery: { weather: { stuck: stuck ?? [sticks] } },
  };
  expect(await lostDrafts(stage as never, { store, endedAtMs: draftEnds.endedAtMs })).toHaveLength(objections);
});

test.each([
  ["is there", { isThere: true, changedAtMs: 500 }, 0],
  ["was deleted by the deletion that is called refused", { isThere: false, changedAtMs: 4_000 }, 1],
  ["was deleted later for another reason", { isThere: false, changedAtMs: 7_000 }, 0],
])(
  "a deletion by hand is told to be refused, and its template %s",
  async (_what, { isThere, changedAtMs }, objections) => {
    const database = createMemoryDatabase();
    const store = database.open();
    const { id: templateId } = addressTemplate();
    await store.shops.insert(shopRecord());
    await store.connections.insert(connectionRecord());
    const outcome = { kind: "refused", message: REFUSED_WORDS, fields: null } as const;
    const draft = draftRecord({ operation: "delete", templateId, outcome, endedAtMs: 5_000 });
    await store.drafts.insert(draft);
    const at = { shop: SHOP, locationId: locationGid(1) };
    const sticks = {
      operation: "delete",
      at,
      page: null,
      how: "says_403",
      takesEffect: false,
      fromMs: 1_000,
      untilMs: 9_000,
    };
    const account = {
      madeFor: new Map([[templateId, markerOf(SHOP, locationGid(1))]]),
      templates: new Map(isThere ? [[templateId, addressTemplate()]] : []),
      touched: new Set(),
      changedAtMs: () => changedAtMs,
    };
    const stage = {
      database,
      accounts: { all: [account] },
      known: { drafts: new Map([[draft.id, { shop: SHOP, operation: "delete", templateId }]]) },
      scenery: { weather: { stuck: [sticks] } },
    };
    expect(await lostDrafts(stage as never, { store, endedAtMs: () => 5_000 })).toHaveLength(objections);
  },
);

test.each([
  ["is left out", "never", 0],
  ["was included since", "always", 1],
  ["is what the policy says again", "policy", 1],
] as const)("a deletion by hand is announced, and its template's location %s", async (_what, inclusion, objections) => {
  const words: (string | null)[] = [];
  const database = createMemoryDatabase({
    committed: (changes) => words.push(...changes.map((change) => watch.committed(change))),
  });
  const watch = createDeleteWatch(database, { nowMs: () => 0, allAwake: () => true });
  const store = database.open();
  await store.shops.insert(shopRecord());
  await store.connections.insert(connectionRecord());
  await store.locations.insert(locationRecord());
  await store.details.insert(detailsRecord({ inclusion }));
  const { templateId } = linkRecord();
  await store.links.insert(linkRecord());
  const deletion = { operation: "delete", templateId, locationId: null, payload: null } as const;
  await store.pendingWrites.insert(pendingWriteRecord(deletion));
  expect(words.filter((each) => each !== null)).toHaveLength(objections);
});

test.each([
  ["shown inactive by the newest answer, while a stopped process was told that it is absent", true, null, 0],
  ["absent by the newest answer", false, null, 1],
  ["shown by the newest answer, and doubted by the app", true, 1, 1],
])("a location's template is deleted: the location is %s", async (_what, isShown, absentSinceMs, objections) => {
  const database = createMemoryDatabase();
  let isAwake = true;
  const watch = createDeleteWatch(database, { nowMs: () => 1_000, allAwake: () => isAwake });
  const store = database.open();
  await store.shops.insert(shopRecord());
  await store.connections.insert(connectionRecord());
  await store.locations.insert(locationRecord({ absentSinceMs }));
  const call = { shop: SHOP, locationId: locationGid(1) } as never;
  watch.answered(call, { location: null } as never);
  isAwake = false;
  const inactive = { isActive: false, shopifyAtMs: 500 };
  watch.answered(call, { location: isShown ? inactive : null } as never);
  const deletion = pendingWriteRecord({ operation: "delete", locationId: locationGid(1), payload: null });
  expect([watch.left(deletion)].filter((each) => each !== null)).toHaveLength(objections);
});
