// @vitest-environment jsdom
import { createStorage } from "@shopify/ui-extensions-tester/admin";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import {
  button,
  buttons,
  carrierView,
  gid,
  orderReply,
  originsView,
  originView,
  part,
  play,
  shows,
  words,
} from "./stage.ts";
import type { Scene } from "./stage.ts";

/**
 * The order page's block, for each answer of Shopify's and the app's.
 *
 * Long, because every answer is a case of the same scene.
 */

const denied = (message: string) => ({ data: null, errors: [{ message, extensions: { code: "ACCESS_DENIED" } }] });
const scene = (over: Partial<Scene> = {}): Scene => ({
  order: () => orderReply([part(1)]),
  origins: () => originsView([originView(1)]),
  ...over,
});

describe("the block", () => {
  test("shows a skeleton as long as Shopify says nothing of the order", async () => {
    let answer = (_order: unknown) => {};
    const order = () => new Promise((resolve) => (answer = resolve));
    const { page, calls } = await play("block", scene({ order }));
    expect(page.querySelectorAll("s-box").length).toBeGreaterThan(2);
    expect(calls).toEqual([]);
    answer(orderReply([part(1)]));
    await shows("Verified");
  });

  test("shows what Shopify knows and skeletons for the rest, then the origin with its carriers and when it was checked", async () => {
    const { page } = await play("block", scene());
    await shows("Bodega 1");
    await shows("Tonalá 1, Roma Norte, Cuauhtémoc, 06700");
    expect(page.querySelector("[accessibilitylabel=Loading]")).not.toBeNull();
    expect(buttons()).toEqual(["Verify", "Sync now"]);
    expect(button("Verify").disabled).toBe(true);
    await shows("Tonalá 1, Roma Norte, 06700 Cuauhtémoc");
    await shows("FedEx: Accepted");
    await shows("Checked");
    expect(page.querySelector("[accessibilitylabel=Loading]")).toBeNull();
    expect(page.querySelector("s-badge")?.textContent).toBe("Verified");
    expect(page.querySelector("s-link")?.getAttribute("href")).toBe("app:app/origins/1");
    expect(button("Verify").disabled).toBe(false);
  });

  test.each(["invalid", "unreadable", "unconfirmed", "failing", "shut"] as const)(
    "says once and at the top that the connection is at fault (%s), and of no origin that it goes on by itself",
    async (connection) => {
      const over = { state: "waiting", moving: true, canSync: false, canVerify: false } as const;
      const { page } = await play(
        "block",
        scene({
          order: () => orderReply([part(1), part(2)]),
          origins: () =>
            originsView([originView(1, over), originView(2, { ...over, state: "parked" })], { connection }),
        }),
      );
      const { connection: said, note } = words("en.default") as unknown as Record<string, Record<string, string>>;
      const fault = said!
        [connection]!.replace("{{Service}}", "Your shipping service")
        .replace("{{service}}", "your shipping service");
      await shows(fault);
      const text = page.textContent;
      expect(text.split(fault)).toHaveLength(2);
      expect(text.indexOf(fault)).toBeLessThan(text.indexOf("Tonalá 1"));
      expect(text).not.toContain(note!.waiting);
      expect(text).not.toContain(note!.parked);
      expect(page.querySelector("s-admin-block")!.getAttribute("collapsedsummary")).toBe(fault);
    },
  );

  test.each([
    ["en", /Nov 20, 2026, 9:00\sPM/],
    // Of Spain, whose clock has 24 hours: Shopify's admin has no other Spanish.
    ["es", /20 nov 2026, 9:00\sp\.\sm\./],
  ])("shows times in the shop's zone and by twelve hours, wherever the browser is: %s", async (language, time) => {
    const { page } = await play(
      "block",
      scene({ origins: () => originsView([originView(1)], { timeZone: "Asia/Tokyo" }) }),
    );
    const { i18n } = (globalThis as unknown as { shopify: { i18n: { formatDate(date: Date, style: object): string } } })
      .shopify;
    vi.spyOn(i18n, "formatDate").mockImplementation((date, style) => date.toLocaleString(language, style));
    await vi.waitFor(() => expect(page.textContent).toMatch(time));
  });

  test("asks the app once, by the ids of the locations, each once, cancelled parts left out", async () => {
    const order = orderReply([part(1), part(2), part(1), part(3, { status: "CANCELLED" })]);
    const { calls } = await play(
      "block",
      scene({ order: () => order, origins: () => originsView([originView(1), originView(2)]) }),
    );
    await shows("Bodega 2Verified");
    expect(calls.map(({ path }) => path)).toEqual([`/api/origins?locations=${gid(1)},${gid(2)}`]);
  });

  test.each<[string, Partial<Scene>, string]>([
    [
      "order scopes are missing",
      { order: () => denied("Access denied for order field. Required access: `read_orders`") },
      "needs your permission to read orders",
    ],
    [
      "protected data is not approved",
      { order: () => denied("This app is not approved to access the Order object.") },
      "not yet approved",
    ],
    ["the order is past 60 days", { order: () => ({ data: { order: null } }) }, "more than 60 days old"],
    ["nothing leaves from a location", { order: () => orderReply([]) }, "Nothing in this order"],
    [
      "the location is deleted",
      { order: () => orderReply([part(1, { deleted: true })]) },
      "no longer exists in Shopify",
    ],
    [
      "the location is snapshotted",
      { order: () => orderReply([part(1, { kept: "Durango 9" })]) },
      "keeps the address the location had when fulfillment began: Durango 9",
    ],
    [
      "nothing is connected",
      { origins: () => originsView([originView(1)], { connection: "none" }) },
      "Your shipping account is not connected yet.",
    ],
    [
      "the credentials are refused",
      { origins: () => originsView([originView(1)], { connection: "invalid" }) },
      "Your credentials are no longer accepted",
    ],
    [
      "it is no shipping location",
      {
        origins: () =>
          originsView([
            originView(1, { state: "not_included", exclusion: "not_online", canSync: false, canVerify: false }),
          ]),
      },
      "does not ship online orders",
    ],
    [
      "the app does not know it",
      { origins: () => originsView([], { unknown: [gid(1)] }) },
      "does not know this location",
    ],
    [
      "the app cannot be reached",
      {
        origins: () => {
          throw new TypeError("Failed to fetch");
        },
      },
      "Origen could not be reached",
    ],
    ["the app fails", { origins: () => ({ status: 502, body: "<html>" }) }, "Origen could not be reached"],
    ["the session ended", { origins: () => ({ status: 401, body: {} }) }, "Reload this page"],
  ])("says in one line that %s", async (_case, over, line) => {
    await play("block", scene(over));
    await shows(line);
    expect(document.body.querySelectorAll("s-banner")).toHaveLength(0);
  });

  test("looks again by itself for a location that the app has not read yet", async () => {
    let known = false;
    const origins = () => (known ? originsView([originView(1)]) : originsView([], { unknown: [gid(1)] }));
    await play("block", scene({ origins }));
    await shows("does not know this location");
    known = true;
    await shows("Verified", 4_000);
  });

  test("looks again when the action, or another order's page, changed one of its origins", async () => {
    const storage = createStorage();
    let state: "to_review" | "ready" = "to_review";
    const { calls } = await play("block", scene({ storage, origins: () => originsView([originView(1, { state })]) }));
    await shows("To review");
    state = "ready";
    await storage.set(`changed ${gid(2)}`, Date.now() + 1);
    await storage.set(`changed ${gid(1)}`, Date.now() + 1);
    await shows("Verified", 5_000);
    expect(calls).toHaveLength(2);
  });

  test("says which origin it is even when the app says nothing", async () => {
    const order = () => orderReply([part(1), part(2)]);
    const origins = () => ({ status: 502, body: "<html>" });
    await play("block", scene({ order, origins }));
    await shows("could not be reached");
    await shows("Bodega 2");
    await shows("Tonalá 2, Roma Norte, Cuauhtémoc, 06700");
    expect(buttons()).toEqual(["Try again"]);
  });

  test("says that a similar address waits for a choice", async () => {
    const reason = { code: "adoption_choice", message: null };
    await play("block", scene({ origins: () => originsView([originView(1, { state: "to_review", reason })]) }));
    await shows("The address book has a similar address");
  });

  test("tries again when asked to", async () => {
    let down = true;
    const origins = () => {
      if (down) throw new TypeError("Failed to fetch");
      return originsView([originView(1)]);
    };
    await play("block", scene({ origins }));
    await shows("could not be reached");
    down = false;
    button("Try again").click();
    await shows("Verified");
  });

  test("offers no retry for what repeating cannot change", async () => {
    await play("block", scene({ order: () => ({ data: { order: null } }) }));
    await shows("60 days");
    expect(buttons()).toEqual([]);
  });

  test("verifies with the shop's carriers, shows that it does, and follows it to its end", async () => {
    let outcome: "not_asked" | "pending" | "accepted" = "not_asked";
    let looks = 0;
    const origins = () => {
      looks += 1;
      if (looks > 3) outcome = "accepted";
      const carriers = [
        carrierView({ outcome }),
        carrierView({ carrier: "dhl", name: "DHL", chosen: false, outcome: "seen" }),
      ];
      return originsView([
        originView(1, {
          state: outcome === "accepted" ? "ready" : "verifying",
          carriers,
          moving: outcome === "pending",
        }),
      ]);
    };
    let answer = () => {};
    const act = () =>
      new Promise<{ body: object }>((resolve) => {
        answer = () => {
          outcome = "pending";
          resolve({ body: { progress: "under_way" } });
        };
      });
    const { calls } = await play("block", scene({ origins, act }));
    const pauses = vi.spyOn(globalThis, "setTimeout");
    onTestFinished(() => pauses.mockRestore());
    await shows("FedEx: Not verified");
    button("Verify").click();
    await vi.waitFor(() => expect(button("Verify").loading).toBe(true));
    expect(button("Sync now").disabled).toBe(true);
    button("Verify").click();
    answer();
    await shows("FedEx: Waiting for an answer");
    await shows("FedEx: Accepted", 8_000);
    const posts = calls.filter(({ method }) => method === "POST");
    expect(posts).toEqual([{ path: "/api/origins/1/verify", method: "POST", body: { carriers: ["fedex"] } }]);
    expect(pauses.mock.calls.map(([, ms]) => ms).filter((ms = 0) => ms >= 1_000)).toEqual([1_000, 1_500]);
  });

  test("keeps what it shows when looking again fails, and says so", async () => {
    let looks = 0;
    const origins = () => {
      looks += 1;
      if (looks === 2) throw new TypeError("Failed to fetch");
      return originsView([originView(1)]);
    };
    await play("block", scene({ origins }));
    await shows("Verified");
    button("Sync now").click();
    await shows("Origen could not be reached");
    await shows("Bodega 1");
  });

  test("says in the page's language what stands in the account, and calls what nobody knows inconclusive", async () => {
    const carriers = [
      carrierView({ outcome: "seen", meaning: "accepted" }),
      carrierView({ carrier: "dhl", name: "DHL", outcome: "seen", meaning: "unknown" }),
      carrierView({ carrier: "ups", name: "UPS", outcome: "unknown", meaning: "unknown" }),
    ];
    await play("block", scene({ origins: () => originsView([originView(1, { carriers })]) }));
    await shows("FedEx: Accepted, according to the account");
    await shows("DHL: Inconclusive answer, according to the account");
    await shows("UPS: Inconclusive answer");
  });

  test.each([
    [{ service: "paquetería Norte" }, "Paquetería Norte said: “no”"],
    [{ service: null }, "Your shipping service said: “no”"],
    // From an app that is older than the extension.
    [{}, "Your shipping service said: “no”"],
  ])("names the service as the app's answer does: %o", async (named, said) => {
    const over = { state: "refused_by_service", reason: { code: "refused_by_service", message: "no" } } as const;
    await play("block", scene({ origins: () => ({ ...originsView([originView(1, over)]), ...named }) }));
    await shows(said);
  });

  test("quotes a refusal of the service, and no word that nobody knows", async () => {
    const carriers = [carrierView({ outcome: "unknown", meaning: "unknown" })];
    const reason = { code: "refused_by_service", message: "street1 is too long" };
    await play(
      "block",
      scene({ origins: () => originsView([originView(1, { carriers, reason, state: "refused_by_service" })]) }),
    );
    await shows("FedEx: Inconclusive answer");
    await shows("Your shipping service said: “street1 is too long”");
  });

  test("names what is missing and opens the action to finish it", async () => {
    const form = {
      revision: 0,
      readFrom: "",
      fields: [
        { field: "area_level3", value: "", problem: "missing", required: true, serviceMessages: [], choices: [] },
        {
          field: "street_number",
          value: "12",
          problem: "unconfirmed",
          required: false,
          serviceMessages: [],
          choices: [],
        },
      ],
    } as const;
    const origins = () =>
      originsView([
        originView(1, {
          state: "incomplete",
          form: { ...form, fields: [...form.fields] } as never,
          canVerify: false,
          inShopify: [{ field: "postal_code", problem: "missing" }],
        }),
      ]);
    const { extension } = await play("block", scene({ origins }));
    const navigate = vi.spyOn(
      (extension.shopify as unknown as { navigation: { navigate(url: string): void } }).navigation,
      "navigate",
    );
    await shows("Missing: Neighborhood");
    await shows("Please check: Exterior number");
    await shows("in Shopify: Postal code");
    button("Finish missing details").click();
    await vi.waitFor(() => expect(navigate).toHaveBeenCalledWith("extension://order-origin"));
    expect(await extension.shopify.storage.get("opened")).toMatchObject({ locationId: gid(1) });
  });
});
