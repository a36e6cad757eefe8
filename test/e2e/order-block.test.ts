import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Browser, Page, Route } from "playwright-core";
import type { HomeView } from "../../app/views/home.ts";
import { until } from "../sandbox/play/until.ts";
import { findBrowser, keepScreenshot, launchBrowser, NARROW, visit, WIDE } from "./browser.ts";
import { shiftSinceLast, watchShifts } from "./layout-shifts.ts";
import { asked, CASES, PLAYED, WORDS } from "./orders/order-block-cases.ts";
import type { Case, Words } from "./orders/order-block-cases.ts";
import { finishOrigin, gid } from "./orders/order-questions.ts";
import { ORDERS, startOrderStage, STORE } from "./orders/order-stage.ts";
import type { OrderStage } from "./orders/order-stage.ts";
import { IS_WHOLE } from "../whole.ts";

/** The order page's block while it waits: nothing jumps when answers come, and many pages at once cost nobody anything. */

const executable = findBrowser();

/** The same goal as the app's own pages have. */
const MOST_SHIFT = 0.02;

/** A shift is nothing where little stands below, and nobody's where somebody has just pressed; a row of text is a row of text. */
const MOST_GROWTH_PX = 24;

const SHOPIFYS_ANSWER = /\/internal\/[^/]+\/graphql$/;
const APPS_ANSWER = /\/api\/origins\?/;
/** Where a deleted location was. */
const GONE = { address1: "Av. Álvaro Obregón 154", address2: "Roma Norte", city: "Ciudad de México", zip: "06700" };

/** Order pages that a person opens at once; in a short run two for each answer. */
const AT_ONCE = IS_WHOLE ? 20 : 8;

const IN_WIDE = ["wide", "en", WIDE] as const;
const IN_NARROW = ["narrow", "es", NARROW] as const;
/** Spanish words are the longer ones, and narrow pages break them: a short run looks at those alone. */
const WAYS = IS_WHOLE ? [IN_WIDE, IN_NARROW] : [IN_NARROW];

const VERIFYING = /\/api\/origins\/\d+\/verify$/;

const goOn = (route: Route) => route.continue();

interface Seen {
  heights: number[];
  shifts: number[];
}

describe.skipIf(!executable)("the order page's block", () => {
  let stage: OrderStage;
  let browser: Browser;
  let page: Page;
  let language: "en" | "es" = "en";

  beforeAll(async () => {
    stage = await startOrderStage({ verifies: false });
    await stage.extensions();
    await finishOrigin(stage, "Sucursal Coyoacán");
    await stage.control("POST", "shops/tienda-3/scopes", {
      scopes: ["read_orders", "read_merchant_managed_fulfillment_orders"],
    });
    browser = await launchBrowser(executable!);
    ({ page } = await visit(browser));
    await watchShifts(page);
  });

  afterAll(async () => {
    await browser?.close();
    await stage?.sandbox.stop();
  });

  const block = () => page.locator("s-admin-block");

  /** The extension's own words, as far as they are the same whatever is filled in. */
  function say(key: string): string {
    const words: unknown = key.split(".").reduce((at: unknown, name) => (at as Words)[name], WORDS[language]);
    return String(words).split("{{")[0]!.trim();
  }

  const text = (key: string) => block().getByText(say(key)).first();
  const button = (key: string) => block().getByRole("button", { name: say(key) });

  async function turn(to: typeof language, viewport: typeof WIDE): Promise<void> {
    language = to;
    await stage.control("PUT", "settings", { locale: to });
    await page.setViewportSize(viewport);
  }

  /** How tall it is, and what moved since it was last asked. */
  async function measure(seen: Seen): Promise<void> {
    seen.shifts.push(await shiftSinceLast(page));
    seen.heights.push(Math.round((await page.locator("[data-extension]").boundingBox())!.height));
  }

  function expectStill(name: string, { heights, shifts }: Seen): void {
    console.log(`${name}: ${heights.join(" → ")} px, shifts ${shifts.map((one) => one.toFixed(4)).join(", ")}`);
    expect(Math.max(...shifts)).toBeLessThanOrEqual(MOST_SHIFT);
    expect(Math.max(...heights) - Math.min(...heights)).toBeLessThanOrEqual(MOST_GROWTH_PX);
  }

  /** The order of these locations, as the direct API tells it. */
  function orderOf(names: string[]): object {
    const nodes = names.map((name) => {
      const found = [...stage.job.shop.locations.values()].find((one) => one.name === name);
      const { address1, address2, city, zip } = found?.address ?? GONE;
      const address = { address1, address2, city, zip };
      const location = found ? { id: gid(String(found.id)), name, address } : null;
      return { status: "OPEN", assignedLocation: { name, ...address, location } };
    });
    const pageInfo = { hasNextPage: false, endCursor: null };
    return { data: { order: { fulfillmentOrders: { nodes, pageInfo } } } };
  }

  /** Holds the answers that `pattern` names back until they are let go. */
  async function hold(pattern: RegExp, pass: (route: Route) => Promise<void> = goOn): Promise<() => Promise<void>> {
    const held: Route[] = [];
    let open = false;
    await page.route(pattern, (route) => (open ? pass(route) : void held.push(route)));
    return async () => {
      open = true;
      await Promise.all(held.splice(0).map(pass));
    };
  }

  /** Shopify is so slow that the block draws before it knows the order. @returns what lets Shopify answer. */
  async function openSlowly({ order, refusal, store = STORE }: Case): Promise<() => Promise<void>> {
    const json = refusal ?? (order && orderOf(order));
    const tellOrder = await hold(SHOPIFYS_ANSWER, json && ((route) => route.fulfill({ json })));
    await page.goto(`${stage.sandbox.adminUrl}/store/${store}/orders/${ORDERS.complete}`);
    await block().getByLabel(say("loading")).first().waitFor();
    // Whatever lies below the block is looked at: what nobody sees is no shift.
    await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
    await shiftSinceLast(page);
    return tellOrder;
  }

  /** Each answer is held back until what stands before it is drawn and measured. */
  async function play(one: Case): Promise<Seen> {
    const { app, final, shows, later } = one;
    const seen: Seen = { heights: [], shifts: [] };
    const tellOrigins = await hold(APPS_ANSWER, app);
    const tellOrder = await openSlowly(one);
    await measure(seen);
    await tellOrder();
    await (final ? text(shows) : block().locator("s-button").first()).waitFor();
    await measure(seen);
    await tellOrigins();
    await text(shows).waitFor();
    await measure(seen);
    if (later) {
      await page.unroute(APPS_ANSWER);
      await page.route(APPS_ANSWER, later.app ?? goOn);
      await text(later.shows).waitFor();
      await measure(seen);
    }
    await page.unrouteAll({ behavior: "wait" });
    return seen;
  }

  describe.each(WAYS)("%s, in %s", (width, to, viewport) => {
    beforeAll(() => turn(to, viewport));

    test.each(PLAYED[width])("does not jump: %s", async (name) => {
      const seen = await play(CASES[name]!);
      await keepScreenshot(page, `block-${width}-${name.replaceAll(" ", "-")}`);
      expectStill(`${width}, ${name}`, seen);
    });
  });

  test("shows what came late as a list, and each location whole when asked to", async () => {
    await turn("en", WIDE);
    const tellOrder = await openSlowly(CASES["three locations"]!);
    await tellOrder();
    await text("state.unverified").waitFor();
    const street = block().getByText("Independencia S/N");
    expect(await street.count()).toBe(0);
    await button("more").focus();
    await page.keyboard.press("Enter");
    await street.waitFor();
    // Whoever has no mouse goes on from where they were.
    await page.keyboard.press("Enter");
    await button("more").waitFor();
    await page.unrouteAll({ behavior: "wait" });
  });

  test(`${AT_ONCE} order pages opened at once cost the service no call, and each shows its answer`, async () => {
    const { page: first, context, close } = await visit(browser);
    const pages = [first, ...(await Promise.all(Array.from({ length: AT_ONCE - 1 }, () => context.newPage())))];
    const answers = [
      [ORDERS.complete, "Sucursal Coyoacán"],
      [ORDERS.twoOrigins, "Taller Tlaquepaque"],
      [ORDERS.incomplete, "Missing: Neighborhood"],
      [ORDERS.snapshotted, "Bodega Monterrey"],
    ] as const;
    // What the store has to do on its own account is not the pages' cost.
    await until({
      what: "an empty queue",
      read: () => stage.job.visitor.load<{ home: HomeView }>("/app", "routes/app._index"),
      holds: ({ home }) => home.queue.waiting === 0 && home.reconciledAtMs !== null,
    });
    const before = stage.sandbox.shipping!.report().calls;
    await Promise.all(
      pages.map(async (one, nth) => {
        const [order, answer] = answers[nth % answers.length]!;
        await one.goto(`${stage.sandbox.adminUrl}/store/${STORE}/orders/${order}`);
        await one.locator("s-admin-block").getByText(answer).first().waitFor();
        await one.locator("s-admin-block").getByRole("link", { name: "Open in Origen" }).first().waitFor();
      }),
    );
    expect(stage.sandbox.shipping!.report().calls).toBe(before);
    await close();
  });

  // Last: what carriers have answered stays.
  test.each(WAYS)(
    "does not jump for a verification from its press to its end, nor for one that fails, %s, in %s",
    async (width, to, viewport) => {
      await turn(to, viewport);
      const seen: Seen = { heights: [], shifts: [] };
      const verify = button("verify");
      await page.goto(`${stage.sandbox.adminUrl}/store/${STORE}/orders/${ORDERS.complete}`);
      await text("checked").waitFor();
      await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
      await shiftSinceLast(page);
      await measure(seen);
      const letPress = await hold(VERIFYING);
      await page.route(APPS_ANSWER, asked);
      await verify.click();
      await expect.poll(() => verify.getAttribute("aria-busy")).toBe("true");
      await measure(seen);
      await letPress();
      await text("carrier.pending").waitFor();
      await measure(seen);
      await page.unrouteAll({ behavior: "wait" });
      await text("carrier.accepted").waitFor();
      await text("carrier.unknown").waitFor();
      await measure(seen);
      await page.route(VERIFYING, (route) => route.abort());
      await verify.click();
      await text("problem.unreachable").waitFor();
      await measure(seen);
      await page.unrouteAll({ behavior: "wait" });
      expectStill(`${width}, a verification`, seen);
    },
  );
});
