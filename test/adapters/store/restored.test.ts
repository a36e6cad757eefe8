import { createClient } from "@libsql/client";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openPrisma } from "../../../app/adapters/store/database.ts";
import { markRestored } from "../../../app/adapters/store/copies/restored.ts";
import { createStore, type PrismaStore } from "../../../app/adapters/store/store.ts";
import { anotherServerContract, lookAt, type RestoredStage } from "../../contracts/store/another-server.ts";
import { freshDatabase } from "./fresh-database.ts";
import { KEYS, SILENT } from "./open-store.ts";

/** A SQLite database that was restored: nothing is sent for a quarantine, and everything is doubted, as on another server of PostgreSQL's. */

async function stageOnFile(): Promise<RestoredStage> {
  const database = await freshDatabase();
  const open = () => createStore({ url: database.url, keys: KEYS, log: SILENT });
  let store = await open();
  const whileClosed = async (act: () => Promise<void>) => {
    await store.close();
    await act();
    store = await open();
  };
  return {
    store: () => store,
    restore: () =>
      whileClosed(async () => {
        const prisma = await openPrisma(database.url);
        await markRestored(prisma);
        await prisma.$disconnect();
      }),
    acceptedAgo: (ms) =>
      whileClosed(async () => {
        const client = createClient({ url: database.url });
        await client.execute({ sql: 'UPDATE "_origen_restored" SET "acceptedAtMs" = ?', args: [Date.now() - ms] });
        client.close();
      }),
    async close() {
      await store.close();
      await database.remove();
    },
  };
}

anotherServerContract("SQLite", stageOnFile);

let stage: RestoredStage;
const store = (): PrismaStore => stage.store();
beforeEach(async () => void (stage = await stageOnFile()));
afterEach(() => stage.close());

test("nothing may be sent for the rest of the quarantine, also by a process that began in the midst of it", async () => {
  expect(await store().opensInMs!()).toBe(0);
  await stage.restore();
  await store().server.accept(100_000);
  expect(await store().opensInMs!()).toBeGreaterThan(90_000);
  await stage.acceptedAgo(60_000);
  const leftMs = await store().opensInMs!();
  expect([leftMs > 30_000, leftMs <= 40_000]).toEqual([true, true]);
  // The machine's clock was set back since.
  await stage.acceptedAgo(-86_400_000);
  expect(await store().opensInMs!()).toBe(100_000);
  await stage.acceptedAgo(100_000);
  expect(await store().opensInMs!()).toBe(0);
});

test("a database that is restored once more is doubted once more", async () => {
  await stage.restore();
  await lookAt(store());
  await stage.restore();
  expect(await store().server.read()).toMatchObject({ isKnown: false });
});
