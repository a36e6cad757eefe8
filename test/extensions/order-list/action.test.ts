// @vitest-environment jsdom
import { describe, expect, test, vi } from "vitest";
import type { OrderListAnswer, OrderOriginView } from "../../../app/views/order-origins.ts";
import {
  button,
  buttons,
  carrierView,
  gid,
  originsView,
  originView,
  part,
  play,
  shows,
} from "../order-origin/stage.ts";
import type { Scene } from "../order-origin/stage.ts";
import { denied, listReply, orderId } from "./orders-stage.ts";

/**
 * The action for the orders that are selected in the list, for each answer of Shopify's and the app's.
 *
 * Long, because each of those answers is a scene of its own.
 */

const answerOf = (origins: OrderOriginView[], over: Partial<OrderListAnswer> = {}): OrderListAnswer => ({
  ...originsView(origins),
  busy: false,
  service: null,
  ...over,
});

/** Orders that leave from these locations, one each. */
function sceneOf(locations: number[], over: Partial<Scene> = {}): Scene {
  return {
    selected: locations.map((_one, at) => orderId(at)),
    order: ({ variables }) =>
      listReply(variables.ids as string[], (id) => ({ nodes: [part(locations[Number(id.slice(-3))]!)] })),
    origins: () => answerOf([...new Set(locations)].map((number) => originView(number))),
    ...over,
  };
}

const refused: Partial<OrderOriginView> = {
  state: "refused_by_carrier",
  attention: "yours",
  carriers: [carrierView({ outcome: "refused" })],
};

describe("the action in the list of orders", () => {
  test("asks Shopify five times and the app once for 250 orders over 20 origins", async () => {
    const asked: unknown[] = [];
    const locations = Array.from({ length: 250 }, (_one, at) => (at % 20) + 1);
    const scene = sceneOf(locations);
    const order: Scene["order"] = (question) => {
      asked.push(question);
      return scene.order(question);
    };
    const { calls } = await play("list", { ...scene, order });
    await shows("The selected orders ship from 20 locations.");
    await shows("Nothing needs attention.");
    expect(asked).toHaveLength(5);
    expect(calls.map(({ path, method, body }) => [path, method, body.intent])).toEqual([
      ["/api/origins/many", "POST", "read"],
    ]);
    expect((calls[0]!.body.locations as string[]).toSorted((a, b) => Number(a) - Number(b))).toEqual(
      Array.from({ length: 20 }, (_one, at) => String(at + 1)),
    );
    await shows("13 orders");
    await shows("12 orders");
  });

  test("shows each origin with its state, why, and the way to it; what needs somebody stands first", async () => {
    const { page } = await play(
      "list",
      sceneOf([1, 1, 2, 3], {
        origins: () =>
          answerOf([
            originView(1),
            originView(2, refused),
            originView(3, {
              state: "incomplete",
              attention: "yours",
              canVerify: false,
              carriers: [],
              inShopify: [{ field: "postal_code", problem: "missing" }],
            }),
          ]),
      }),
    );
    await shows("Refused by a carrier");
    await shows("FedEx: Refused");
    await shows("To correct on the location’s page in Shopify: Postal code");
    await shows("2 of 3 need attention.");
    const names = [...page.querySelectorAll("s-link[accessibilitylabel]")].map((link) => link.textContent);
    expect(names).toEqual(["Bodega 2", "Bodega 3", "Bodega 1"]);
    expect([...page.querySelectorAll("s-link")].map((link) => link.getAttribute("href"))).toEqual([
      "app:app/origins/2",
      "app:app/origins/3",
      "shopify:admin/settings/locations/3",
      "app:app/origins/1",
    ]);
  });

  test("counts as pending only what the app says waits for its owner", async () => {
    const { page } = await play(
      "list",
      sceneOf([1, 2, 3, 4, 5], {
        order: ({ variables }) =>
          listReply(variables.ids as string[], (id) => {
            const number = Number(id.slice(-3)) + 1;
            return { nodes: [part(number, { deleted: number === 5 })] };
          }),
        origins: () =>
          answerOf([
            originView(1, {
              state: "verifying",
              attention: "itself",
              carriers: [carrierView({ outcome: "pending" })],
            }),
            originView(2, {
              state: "not_included",
              exclusion: "fulfillment_service",
              canVerify: false,
              canSync: false,
            }),
            originView(3, { state: "paused", canVerify: false, canSync: false }),
            originView(4, refused),
          ]),
      }),
    );
    await shows("1 of 5 needs attention.");
    const names = [...page.querySelectorAll("s-link[accessibilitylabel]")].map((link) => link.textContent);
    expect(names[0]).toBe("Bodega 4");
  });

  test("starts one bulk action for all of them, says for how many, and follows it", async () => {
    let busy = false;
    let reads = 0;
    const { calls } = await play(
      "list",
      sceneOf([1, 2, 3], {
        origins: () => {
          reads += 1;
          if (reads > 2) busy = false;
          return answerOf(
            [1, 2, 3].map((number) => originView(number, busy ? { state: "verifying" } : {})),
            { busy },
          );
        },
        act: ({ body }) => {
          busy = true;
          return { body: { count: (body.locations as string[]).length } };
        },
      }),
    );
    await shows("Bodega 3");
    button("Verify all (3)").click();
    await shows("Verification of 3 origins started.");
    expect(button("Sync all (3)").disabled).toBe(true);
    expect(calls.filter(({ body }) => body.intent === "verify").map(({ body }) => body.locations)).toEqual([
      ["1", "2", "3"],
    ]);
    await vi.waitFor(() => expect(button("Verify all (3)").disabled).toBe(false), 5_000);
  });

  test("takes two quick presses for one", async () => {
    let presses = 0;
    await play(
      "list",
      sceneOf([1, 2], {
        origins: () => answerOf([originView(1), originView(2)], { busy: presses > 0 }),
        act: () => {
          presses += 1;
          return presses > 1 ? { status: 409, body: { error: { code: "busy" } } } : { body: { count: 2 } };
        },
      }),
    );
    await shows("Bodega 2");
    const all = button("Verify all (2)");
    all.click();
    all.click();
    await shows("Verification of 2 origins started.");
    expect(presses).toBe(1);
  });

  test.each([
    ["Verify all (2)", "Verification of 2 origins started."],
    ["Sync all (2)", "Sync of 2 origins started."],
  ])("says that it is under way until it has ended, and then that it has (%s)", async (pressed, words) => {
    let isUnderWay = false;
    const { page } = await play(
      "list",
      sceneOf([1, 2], {
        origins: () => answerOf([originView(1), originView(2)], { busy: isUnderWay }),
        act: () => {
          isUnderWay = true;
          return { body: { count: 2 } };
        },
      }),
    );
    await shows("Bodega 2");
    button(pressed).click();
    await shows(words);
    isUnderWay = false;
    await shows("The bulk action has ended.");
    expect(page.textContent).not.toContain(words);
  });

  test("leaves out of a press for all what cannot take it", async () => {
    const { calls } = await play(
      "list",
      sceneOf([1, 2, 3, 4], {
        origins: () =>
          answerOf([
            originView(1),
            originView(2, { canVerify: false }),
            originView(3, { form: { revision: 1, readFrom: "", fields: [] } }),
            originView(4, { carriers: [carrierView({ chosen: false })] }),
          ]),
        act: ({ body }) => ({ body: { count: (body.locations as string[]).length } }),
      }),
    );
    await shows("Bodega 4");
    button("Verify all (2)").click();
    await shows("The bulk action has ended.");
    button("Sync all (3)").click();
    await vi.waitFor(() => expect(calls.at(-1)!.body.intent).toBe("read"));
    const asked = calls.filter(({ body }) => body.intent !== "read").map(({ body }) => [body.intent, body.locations]);
    expect(asked).toEqual([
      ["verify", ["1", "3"]],
      ["sync", ["1", "2", "4"]],
    ]);
  });

  test("says that another bulk action is in progress, until it has ended", async () => {
    let busy = false;
    const { page } = await play(
      "list",
      sceneOf([1, 2], {
        origins: () => answerOf([originView(1), originView(2)], { busy }),
        act: () => {
          busy = true;
          return { status: 409, body: { error: { code: "busy" } } };
        },
      }),
    );
    await shows("Bodega 2");
    button("Sync all (2)").click();
    await shows("Another bulk action is in progress. Try again when it ends.");
    busy = false;
    await shows("The bulk action has ended.");
    expect(page.textContent).not.toContain("Another bulk action");
  });

  test("verifies and syncs one origin by its own buttons", async () => {
    const { page, calls } = await play("list", sceneOf([1, 2]));
    await shows("Bodega 2");
    const own = [...page.querySelectorAll("s-button")].filter((one) => one.textContent === "Verify");
    (own[1] as HTMLElement).click();
    await vi.waitFor(() => expect(calls.map(({ path }) => path)).toContain("/api/origins/2/verify"));
    expect(calls.find(({ path }) => path.endsWith("/verify"))!.body).toEqual({ carriers: ["fedex"] });
  });

  test("says apart what no location has: orders without one, too old ones, and those beyond the most", async () => {
    const selected = Array.from({ length: 253 }, (_one, at) => orderId(at));
    await play(
      "list",
      sceneOf([1], {
        selected,
        order: ({ variables }) =>
          listReply(variables.ids as string[], (id) => {
            if (id === orderId(0)) return null;
            return { nodes: id === orderId(1) || id === orderId(2) ? [] : [part(1)] };
          }),
      }),
    );
    await shows("247 orders");
    await shows("2 orders do not ship from any of your own locations.");
    await shows("1 order is more than 60 days old or was deleted, so apps cannot read it.");
    await shows("3 more selected orders were not read. Select at most 250 at a time.");
  });

  test.each<[string, Scene["order"], string, string[]]>([
    [
      "access",
      () => denied("Access denied for order field."),
      "needs your permission to read orders",
      ["Open Settings", "Close"],
    ],
    ["approval", () => denied("This app is not approved to access the Order object."), "not yet approved", ["Close"]],
    [
      "an answer of Shopify's",
      () => ({ errors: [{ message: "x" }] }),
      "Shopify did not respond.",
      ["Try again", "Close"],
    ],
  ])("without %s is the one sentence and the button that the order's page has", async (_what, order, words, shown) => {
    const { calls } = await play("list", sceneOf([1], { order }));
    await shows(words);
    expect(buttons()).toEqual(shown);
    expect(calls).toEqual([]);
  });

  test("tries again what the app did not answer", async () => {
    let away = true;
    await play(
      "list",
      sceneOf([1], { origins: () => (away ? { status: 503, body: null } : answerOf([originView(1)])) }),
    );
    await shows("Origen could not be reached.");
    away = false;
    button("Try again").click();
    await shows("Nothing needs attention.");
  });

  test("says once that the app is away where a press for all finds it so, and no more once it answers", async () => {
    let away = false;
    const silence = { status: 503, body: null };
    const origins = () => (away ? silence : answerOf([originView(1), originView(2)]));
    const { page } = await play("list", sceneOf([1, 2], { origins, act: () => silence }));
    await shows("The selected orders ship from 2 locations.");
    away = true;
    button("Sync all (2)").click();
    await shows("Origen could not be reached.");
    await vi.waitFor(() => expect(button("Try again")).toBeTruthy());
    expect(page.textContent!.split("Origen could not be reached.")).toHaveLength(2);
    away = false;
    button("Try again").click();
    await vi.waitFor(() => expect(page.textContent).not.toContain("Origen could not be reached."));
  });

  test("says once that the connection is at fault, and offers no press that cannot help", async () => {
    const over = { canSync: false, canVerify: false, state: "waiting", attention: "yours" } as const;
    const { page } = await play(
      "list",
      sceneOf([1, 2], {
        origins: () => answerOf([originView(1, over), originView(2, over)], { connection: "invalid" }),
      }),
    );
    await shows("Your credentials are no longer accepted.");
    expect(page.textContent.split("Your credentials are no longer accepted.")).toHaveLength(2);
    expect(buttons()).toEqual(["Open Settings", "Close"]);
    expect(page.textContent).not.toContain("attention");
    const mend = button("Open Settings").compareDocumentPosition(page.querySelector("s-divider")!);
    expect(mend).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
  });

  test("says of a location that it was deleted, and of one that the app does not know yet", async () => {
    await play(
      "list",
      sceneOf([1], {
        selected: [orderId(0), orderId(1)],
        order: ({ variables }) =>
          listReply(variables.ids as string[], (id) => ({
            nodes: [part(id === orderId(0) ? 4 : 5, { deleted: id === orderId(0) })],
          })),
        origins: () => answerOf([], { unknown: [gid(5)] }),
      }),
    );
    await shows("This location no longer exists in Shopify.");
    await shows("Origen does not know this location yet.");
  });
});
