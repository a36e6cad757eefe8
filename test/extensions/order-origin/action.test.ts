// @vitest-environment jsdom
import { createStorage } from "@shopify/ui-extensions-tester/admin";
import { act } from "preact/test-utils";
import { describe, expect, test, vi } from "vitest";
import type { OrderForm } from "../../../app/views/order-origins.ts";
import { button, buttons, gid, orderReply, originsView, originView, part, play, shows, words } from "./stage.ts";
import type { Scene } from "./stage.ts";

const FORM: OrderForm = {
  revision: 3,
  readFrom: "Tonalá 1",
  fields: [
    { field: "area_level3", value: "", problem: "missing", required: true, serviceMessages: [], choices: [] },
    { field: "email", value: "ana", problem: "email_format", required: true, serviceMessages: [], choices: [] },
  ],
};

const scene = (over: Partial<Scene> = {}): Scene => ({
  order: () => orderReply([part(1)]),
  origins: () => originsView([originView(1)]),
  ...over,
});

const field = (name: string) =>
  document.body.querySelector(`s-text-field[name="${name}"]`) as HTMLInputElement & { error: string };

async function type(name: string, value: string) {
  const input = field(name);
  input.value = value;
  await act(() => void input.dispatchEvent(new Event("input", { bubbles: true })));
}

describe("the action", () => {
  test("begins with the location that needs somebody and can be turned to another", async () => {
    const origins = () => originsView([originView(1), originView(2, { state: "incomplete", form: FORM })]);
    await play("action", scene({ order: () => orderReply([part(1), part(2)]), origins }));
    await shows("Details pending");
    const select = document.body.querySelector("s-select") as unknown as HTMLSelectElement;
    expect(select.value).toBe("gid://shopify/Location/2");
    select.value = "gid://shopify/Location/1";
    select.dispatchEvent(new Event("change", { bubbles: true }));
    await shows("Verified");
  });

  test("begins with the location that the block opened it for", async () => {
    const origins = () => originsView([originView(1, { state: "incomplete", form: FORM }), originView(2)]);
    const storage = createStorage({ opened: { locationId: gid(2), atMs: Date.now() } });
    await play("action", scene({ order: () => orderReply([part(1), part(2)]), origins, storage }));
    await shows("Verified");
  });

  test("says once and at the top that credentials are refused, with the way to Settings, and nothing that comforts", async () => {
    const waiting = originView(1, { state: "waiting", moving: true, canSync: false, canVerify: false });
    const { page } = await play("action", scene({ origins: () => originsView([waiting], { connection: "invalid" }) }));
    const { connection, note, link } = words("en.default") as unknown as Record<string, Record<string, string>>;
    await shows(connection!.invalid!);
    const text = page.textContent;
    expect(text.split(connection!.invalid!)).toHaveLength(2);
    expect(text.indexOf(connection!.invalid!)).toBeLessThan(text.indexOf("Tonalá 1"));
    expect(text).not.toContain(note!.waiting);
    expect(buttons()).toEqual([link!.settings, "Close"]);
  });

  test("says once that the app is away where a press finds it so, with the button that tries again", async () => {
    let away = false;
    const silence = { status: 503, body: null };
    const origins = () => (away ? silence : originsView([originView(1)]));
    const { page } = await play("action", scene({ origins, act: () => silence }));
    await shows("Verified");
    away = true;
    button("Sync now").click();
    await vi.waitFor(() => expect(buttons()).toContain("Try again"));
    await shows("Origen could not be reached.");
    await vi.waitFor(() => expect(page.textContent!.split("Origen could not be reached.")).toHaveLength(2));
  });

  test("verifies with the carriers that were chosen", async () => {
    const { calls } = await play("action", scene());
    await shows("FedEx");
    const list = document.body.querySelector("s-choice-list") as HTMLElement & { values: string[] };
    expect(list.values).toEqual(["fedex"]);
    list.values = ["fedex", "dhl"];
    await act(() => void list.dispatchEvent(new Event("change", { bubbles: true })));
    button("Verify").click();
    await vi.waitFor(() =>
      expect(calls.find(({ method }) => method === "POST")?.body).toEqual({ carriers: ["fedex", "dhl"] }),
    );
  });

  test("saves the fields that were asked for, with what the form was shown from", async () => {
    let saved = false;
    const { calls } = await play(
      "action",
      scene({
        origins: () => originsView([saved ? originView(1) : originView(1, { state: "incomplete", form: FORM })]),
        act: () => {
          saved = true;
          return { body: { progress: "done" } };
        },
      }),
    );
    await shows("Complete these details");
    await type("area_level3", "Roma Norte");
    await type("email", "ana@copal.example");
    button("Save").click();
    await shows("Verified");
    expect(calls.filter(({ method }) => method === "POST")).toEqual([
      {
        path: "/api/origins/1/details",
        method: "POST",
        body: { revision: 3, readFrom: "Tonalá 1", values: { area_level3: "Roma Norte", email: "ana@copal.example" } },
      },
    ]);
    expect(buttons()).toEqual(["Verify", "Sync now", "Close"]);
  });

  test("offers what the postal code has beside the text field, and takes any other text", async () => {
    const [colonia, ...others] = FORM.fields;
    const fields = [{ ...colonia!, choices: ["Roma Norte", "Roma Sur"] }, ...others];
    const origins = () => originsView([originView(1, { state: "incomplete", form: { ...FORM, fields } })]);
    await play("action", scene({ origins }));
    await shows("Complete these details");
    const lists = [...document.body.querySelectorAll("s-select")] as unknown as HTMLSelectElement[];
    expect(lists.map(({ textContent }) => textContent)).toEqual(["Choose from the listRoma NorteRoma Sur"]);
    const [list] = lists;
    const choose = (value: string) => {
      list!.value = value;
      return act(() => void list!.dispatchEvent(new Event("change", { bubbles: true })));
    };
    await choose("Roma Sur");
    expect(field("area_level3").value).toBe("Roma Sur");
    await choose("");
    expect(field("area_level3").value).toBe("Roma Sur");
    await type("area_level3", "La que no está");
    expect([field("area_level3").value, list!.value]).toEqual(["La que no está", ""]);
  });

  test("puts the app's refusals beside their fields and keeps what was typed", async () => {
    const problems = [{ field: "email", code: "email_format", severity: "error" }];
    await play(
      "action",
      scene({
        origins: () => originsView([originView(1, { state: "incomplete", form: FORM })]),
        act: () => ({ status: 422, body: { error: { code: "invalid", problems } } }),
      }),
    );
    await shows("Complete these details");
    await type("area_level3", "Roma Norte");
    button("Save").click();
    await shows("Not saved");
    await vi.waitFor(() => expect(field("email").error).toContain("Write an email address"));
    expect(field("area_level3").value).toBe("Roma Norte");
    await type("email", "ana@copal.example");
    expect(field("email").error).toBe("");
  });

  test.each([
    ["stale", "Someone else changed this origin"],
    ["moved", "address changed in Shopify"],
  ])("says that it is %s and shows what holds now", async (code, line) => {
    await play(
      "action",
      scene({
        origins: () => originsView([originView(1, { state: "to_review", form: { ...FORM, fields: [] } })]),
        act: () => ({ status: 409, body: { error: { code } } }),
      }),
    );
    await shows("This is how the address will be saved");
    button("Confirm").click();
    await shows(line);
  });

  test("tells the block what it did", async () => {
    const storage = createStorage();
    const before = Date.now();
    const { calls } = await play("action", scene({ storage }));
    await shows("Verified");
    button("Sync now").click();
    await vi.waitFor(async () => expect(await storage.get(`changed ${gid(1)}`)).toBeGreaterThanOrEqual(before));
    expect(calls.find(({ method }) => method === "POST")?.path).toBe("/api/origins/1/sync");
  });

  test("closes", async () => {
    const { extension } = await play("action", scene());
    const close = vi.spyOn(extension.shopify as unknown as { close(): void }, "close");
    await shows("Verified");
    button("Close").click();
    expect(close).toHaveBeenCalled();
  });

  test("says the same plain lines as the block", async () => {
    await play("action", scene({ order: () => ({ data: { order: null } }) }));
    await shows("more than 60 days old");
    expect(buttons()).toEqual(["Close"]);
  });
});
