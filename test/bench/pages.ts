import { parseArgs } from "node:util";
import type { Frame, Page } from "playwright-core";
import { findBrowser, launchBrowser } from "../e2e/browser.ts";
import { startBigStore } from "./pages/big-store.ts";
import type { BigStore } from "./pages/big-store.ts";
import { measureServerTime } from "./pages/server-time.ts";
import { measureVitals } from "./pages/vitals.ts";
import type { BenchRow } from "./run.ts";

/**
 * Every page in Chromium, in a store of 1,000 locations (`--locations`): the vitals that "Built for Shopify" looks at, against half of what
 * it allows, the server's time until the first byte, and the weight of the scripts. `--page NAME` measures one page alone,
 * `--postgres` on PostgreSQL.
 */

const GOALS = { lcpMs: 1_200, cls: 0.02, inpMs: 150, serverMs: 80, troubledMs: 200, scriptKB: 250 };
const LOADS = 5;
const REQUESTS = 60;

interface Tested {
  path(store: BigStore): string;
  use(app: Frame, page: Page): Promise<void>;
}

const nothing = async (): Promise<void> => undefined;

const PAGES: Record<string, Tested> = {
  home: { path: () => "/app", use: nothing },
  origins: { path: () => "/app/origins", use: useOrigins },
  origin: { path: ({ legacyId }) => `/app/origins/${legacyId}`, use: useOrigin },
  review: { path: () => "/app/review", use: useReview },
  "address book": { path: () => "/app/address-book", use: useBook },
  // A linked one, as all of this store: its form is on the location's page.
  "an address": { path: ({ templateId }) => `/app/address-book/${templateId}`, use: nothing },
  activity: { path: () => "/app/activity", use: useActivity },
  settings: { path: () => "/app/settings", use: useSettings },
};

export async function bench(argv: string[]): Promise<BenchRow[]> {
  const { values } = parseArgs({
    args: argv,
    options: {
      locations: { type: "string", default: "1000" },
      page: { type: "string" },
      postgres: { type: "boolean", default: false },
    },
  });
  const executable = findBrowser();
  if (!executable) throw new Error("This bench needs a browser.");
  const names = Object.keys(PAGES).filter((name) => values.page === undefined || name === values.page);
  console.log(`Preparing a store of ${values.locations} locations …`);
  const store = await startBigStore(Number(values.locations), { postgres: values.postgres });
  const browser = await launchBrowser(executable);
  try {
    const rows: BenchRow[] = [];
    for (const name of names) {
      console.log(`Measuring ${name} …`);
      const { path, use } = PAGES[name]!;
      const { sandbox, job } = store;
      const url = `${sandbox.adminUrl}/store/${job.shop.handle}/apps/origen${path(store)}`;
      const serverMs = await measureServerTime({ sandbox, store: job.shop.handle, path: path(store), times: REQUESTS });
      const { lcpMs, cls, inpMs, scriptBytes } = await measureVitals(browser, { page: { url, use }, times: LOADS });
      const measured = [
        row(`${name}: largest paint, 75 of 100`, Math.round(lcpMs), "ms", GOALS.lcpMs),
        row(`${name}: layout shift, worst`, Math.round(cls * 10_000) / 10_000, "", GOALS.cls),
        ...(use === nothing ? [] : [row(`${name}: slowest interaction`, inpMs, "ms", GOALS.inpMs)]),
        row(`${name}: server time, 95 of 100`, Math.round(serverMs), "ms", GOALS.serverMs),
        row(`${name}: scripts, compressed`, Math.round(scriptBytes / 1000), "kB", GOALS.scriptKB),
      ];
      for (const { name: what, figure, unit, goal } of measured) console.log(`  ${what}: ${figure} ${unit} (${goal})`);
      rows.push(...measured);
    }
    if (values.page === undefined) rows.push(...(await troubled(store)));
    return rows;
  } finally {
    await browser.close();
    await store.stop();
  }
}

/** The worst page's server time while the service is away, broken or slow; a look at everything keeps a call under way. */
async function troubled(store: BigStore): Promise<BenchRow[]> {
  const { sandbox, job } = store;
  const service = sandbox.shipping!;
  const troubles: Record<string, () => unknown> = {
    "answering 500": () => service.faults.set({ kind: "error-before", status: 500 }),
    "taking 5 s": () => service.faults.set({ kind: "slow", delayMs: 5_000 }),
    stopped: () => service.goDown(),
  };
  const rows: BenchRow[] = [];
  for (const [trouble, begin] of Object.entries(troubles)) {
    console.log(`Measuring with the service ${trouble} …`);
    service.faults.clear();
    await begin();
    const look = job.visitor.submit("/app", "routes/app", { intent: "refresh_connection" });
    const paths = Object.values(PAGES).map(({ path }) => path(store));
    let worstMs = 0;
    for (const path of paths) {
      const serverMs = await measureServerTime({ sandbox, store: job.shop.handle, path, times: REQUESTS / 3 });
      worstMs = Math.max(worstMs, serverMs);
    }
    await look;
    rows.push(row(`service ${trouble}: server time, worst page`, Math.round(worstMs), "ms", GOALS.troubledMs));
  }
  return rows;
}

function row(name: string, figure: number, unit: string, goal: number): BenchRow {
  return { name, figure, unit, goal: `≤ ${goal}`, met: figure <= goal };
}

async function useOrigins(app: Frame): Promise<void> {
  await app.getByRole("searchbox").click();
  await app.getByRole("searchbox").pressSequentially("puebla", { delay: 60 });
  await app
    .getByRole("link", { name: /^Puebla/ })
    .first()
    .waitFor();
  await app.getByRole("searchbox").fill("");
  const [, needsYou, , ready] = await app.getByRole("group").first().getByRole("button").all();
  await needsYou!.click();
  await app.waitForURL(/tab=needs_you/);
  await ready!.click();
  await app.waitForURL(/tab=ready/);
  await app.locator("thead").getByRole("checkbox").first().click();
  await app.getByRole("button", { name: "Sync", exact: false }).first().waitFor();
}

async function useOrigin(app: Frame): Promise<void> {
  await app.getByRole("button", { name: "Edit this location’s details" }).click();
  await app.getByLabel("Neighborhood").pressSequentially(" Norte", { delay: 60 });
  await app.getByRole("button", { name: "Choose carriers" }).click();
  await app.getByRole("dialog").getByRole("checkbox").first().click();
  await app.getByRole("dialog").getByRole("button", { name: "Cancel" }).click();
}

async function useReview(app: Frame): Promise<void> {
  const cells = app.getByRole("textbox", { name: /Neighborhood/ });
  await cells.first().pressSequentially("Del Valle", { delay: 60 });
  await cells.last().pressSequentially("Centro", { delay: 60 });
  await app
    .getByRole("button", { name: /^Edit / })
    .last()
    .click();
  await app
    .getByLabel("Contact name", { exact: true })
    .or(app.getByRole("searchbox"))
    .first()
    .pressSequentially("Mérida", { delay: 60 });
  await app.getByRole("checkbox").first().click();
}

async function useBook(app: Frame): Promise<void> {
  await app.getByRole("searchbox").pressSequentially("puebla", { delay: 60 });
  await app
    .getByRole("link", { name: /^Puebla/ })
    .first()
    .waitFor();
}

async function useActivity(app: Frame, page: Page): Promise<void> {
  await app.getByRole("combobox").first().focus();
  await page.keyboard.press("ArrowDown");
  await app.waitForURL(/\?/);
}

async function useSettings(app: Frame): Promise<void> {
  await app.getByLabel("Contact name").pressSequentially(" Ortiz", { delay: 60 });
  await app.getByRole("checkbox").first().click();
}
