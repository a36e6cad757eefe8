import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Browser, Page, Route } from "playwright-core";
import type { HomeView } from "../../app/use-cases/views/home.ts";
import { until } from "../sandbox/play/until.ts";
import { findBrowser, launchBrowser, NARROW, visit, WIDE } from "./browser.ts";
import { shiftSinceLast, watchShifts } from "./layout-shifts.ts";
import { finishOrigin, gid } from "./order-questions.ts";
import { ORDERS, startOrderStage, STORE } from "./order-stage.ts";
import type { OrderStage } from "./order-stage.ts";

/** The order page's block while it waits: nothing jumps when answers come, and many pages at once cost nobody anything. */

const executable = findBrowser();

/** The same goal as the app's own pages have. */
const MOST_SHIFT = 0.02;

const SHOPIFYS_ANSWER = /\/internal\/[^/]+\/graphql$/;
const APPS_ANSWER = /\/api\/origins\?/;

interface Case {
  /** What Shopify answers, where the store's own order would not do. */
  order?: () => object;
  /** What becomes of the app's answer. */
  app?: (route: Route) => Promise<void>;
  store?: string;
  /** Shopify's answer leaves nothing to ask the app. */
  final?: boolean;
  shows: string;
}

describe.skipIf(!executable)("the order page's block", () => {
  let stage: OrderStage;
  let browser: Browser;
  let page: Page;

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
  const height = async () => Math.round((await page.locator("[data-extension]").boundingBox())!.height);

  /** The order of these locations, as the direct API tells it. */
  function orderOf(...names: string[]): object {
    const nodes = names.map((name) => {
      const address = {
        address1: "Av. Álvaro Obregón 154",
        address2: "Roma Norte",
        city: "Ciudad de México",
        zip: "06700",
      };
      const found = [...stage.job.shop.locations.values()].find((one) => one.name === name);
      return {
        status: "OPEN",
        assignedLocation: { name, ...address, location: found ? { id: gid(String(found.id)), name, address } : null },
      };
    });
    const pageInfo = { hasNextPage: false, endCursor: null };
    return { data: { order: { fulfillmentOrders: { nodes, pageInfo } } } };
  }

  const denied = (message: string) => ({ data: null, errors: [{ message, extensions: { code: "ACCESS_DENIED" } }] });

  const CASES: Record<string, Case> = {
    "one location": { order: () => orderOf("Sucursal Coyoacán"), shows: "Verify" },
    "two locations": { order: () => orderOf("Sucursal Coyoacán", "Tienda Roma Norte"), shows: "Verify" },
    "three locations": {
      order: () => orderOf("Sucursal Coyoacán", "Tienda Roma Norte", "Taller Tlaquepaque"),
      shows: "Verify",
    },
    "a location that lacks details": { order: () => orderOf("Almacén Mérida"), shows: "Missing" },
    "no shipping location": { order: () => orderOf("Envíos del Bajío"), shows: "belongs to a fulfillment service" },
    "an app that is away": { app: (route) => route.abort(), shows: "could not be reached" },
    "no connection": { store: "tienda-3", shows: "No shipping account is connected" },
    "a deleted location": { order: () => orderOf("Bodega de antes"), final: true, shows: "no longer exists" },
    "no scope": { order: () => denied("Access denied for order field"), final: true, shows: "needs your permission" },
    "no approval": { order: () => denied("This app is not approved"), final: true, shows: "not yet approved" },
    "an old order": { order: () => ({ data: { order: null } }), final: true, shows: "more than 60 days old" },
    "nothing from a location": { order: () => orderOf(), final: true, shows: "Nothing in this order" },
  };

  /** Holds the answers that `pattern` names back until they are let go. */
  async function hold(pattern: RegExp, pass: (route: Route) => Promise<void>): Promise<() => Promise<void>> {
    const held: Route[] = [];
    let open = false;
    await page.route(pattern, (route) => (open ? pass(route) : void held.push(route)));
    return async () => {
      open = true;
      await Promise.all(held.splice(0).map(pass));
    };
  }

  /** Each answer is held back until what stands before it is drawn and measured. */
  async function play({ order, app, store = STORE, final, shows }: Case) {
    const goOn = (route: Route) => route.continue();
    const tellOrder = await hold(SHOPIFYS_ANSWER, order ? (route) => route.fulfill({ json: order() }) : goOn);
    const tellOrigins = await hold(APPS_ANSWER, app ?? goOn);
    await page.goto(`${stage.sandbox.adminUrl}/store/${store}/orders/${ORDERS.complete}`);
    const blanks = block().getByLabel("Loading");
    await blanks.first().waitFor();
    await shiftSinceLast(page);
    const heights = [await height()];
    await tellOrder();
    await (final ? block().getByText(shows) : block().locator("s-button")).first().waitFor();
    const toldOrder = await shiftSinceLast(page);
    heights.push(await height());
    await tellOrigins();
    await expect.poll(() => blanks.count(), { timeout: 20_000 }).toBe(0);
    await block().getByText(shows).first().waitFor();
    const toldOrigins = await shiftSinceLast(page);
    heights.push(await height());
    await page.unrouteAll({ behavior: "wait" });
    return { toldOrder, toldOrigins, heights };
  }

  /** Nobody knows how many locations an order leaves from before Shopify says so; it is drawn before that only when Shopify is slow. */
  const GROWS = ["two locations", "three locations"];

  test.each([
    ...["one location", "three locations"].map((name) => ["wide", name, WIDE] as const),
    ...Object.keys(CASES).map((name) => ["narrow", name, NARROW] as const),
  ])("does not jump, %s: %s", async (width, name, viewport) => {
    await page.setViewportSize(viewport);
    const { toldOrder, toldOrigins, heights } = await play(CASES[name]!);
    const shifts = [toldOrder, toldOrigins].map((shift) => shift.toFixed(4)).join(", ");
    console.log(`${width}, ${name}: ${heights.join(" → ")} px, shifts ${shifts}`);
    if (!GROWS.includes(name)) expect(toldOrder).toBeLessThanOrEqual(MOST_SHIFT);
    expect(toldOrigins).toBeLessThanOrEqual(MOST_SHIFT);
  });

  test("twenty order pages opened at once cost the service no call, and each shows its answer", async () => {
    const { page: first, context, close } = await visit(browser);
    const pages = [first, ...(await Promise.all(Array.from({ length: 19 }, () => context.newPage())))];
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
      withinMs: 60_000,
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
});
