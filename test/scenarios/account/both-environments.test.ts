import { describe, expect, test } from "vitest";
import { connectAccount } from "../../../app/account/connect-account.ts";
import { disconnectAccount } from "../../../app/account/disconnect-account.ts";
import { switchEnvironment } from "../../../app/account/switch-environment.ts";
import { Secret } from "../../../app/domain/secret.ts";
import { readSettings } from "../../../app/pages/read-settings.ts";
import { readShell } from "../../../app/pages/read-shell.ts";
import { connectionRecord, linkRecord, locationGid, SHOP, shopRecord } from "../../fakes/records.ts";
import { PROMPT } from "../../fakes/shipping/network.ts";
import { createWorld } from "../../fakes/world.ts";
import { addAccount, both, current, MINUTE_MS, switchTo } from "./both-stage.ts";

/**
 * A shop has an account of test and one of production. One is in use, the other is frozen: nothing is lost in it, nothing is saved in it,
 * and nothing crosses from one to the other.
 *
 * Long, because each way to change over, and what may be under way then, is tried on one stage.
 */

const REFUSED = {
  arrivesAfterMs: 20,
  effectAfterMs: null,
  answer: {
    kind: "said",
    status: 401,
    body: JSON.stringify({ error: "invalid_client", error_description: "no such client" }),
    afterMs: 20,
  },
} as const;

const SILENT = { arrivesAfterMs: null, effectAfterMs: null, answer: { kind: "reset", afterMs: 50 } } as const;

describe("switching", () => {
  test("asks for no credentials, and each account has its own links, verdicts and history of calls", async () => {
    const { world, live, key, end } = await both();
    const before = await world.store.links.list({ shop: SHOP }, { orderBy: { id: "asc" } });
    expect(before.map(({ environment }) => environment).toSorted()).toEqual(["production", "test"]);
    const { id } = await current(world);
    await world.store.verifications.update({ shop: SHOP, connectionId: id }, { outcome: "refused" });
    for (const environment of ["production", "test", "production"] as const) {
      expect(await switchTo(world, environment)).toEqual({ kind: "switched" });
      expect(await current(world)).toMatchObject({ environment, state: "active" });
      await world.runFor(3 * MINUTE_MS);
    }
    const after = await world.store.links.list({ shop: SHOP }, { orderBy: { id: "asc" } });
    expect(after.map(({ connectionId, templateId }) => ({ connectionId, templateId }))).toEqual(
      before.map(({ connectionId, templateId }) => ({ connectionId, templateId })),
    );
    const frozen = await world.store.verifications.list({ shop: SHOP, connectionId: id });
    expect(frozen.every(({ outcome }) => outcome === "refused")).toBe(true);
    expect([world.account.templates.size, live.templates.size]).toEqual([1, 1]);
    expect(await world.workItem("location", key)).toMatchObject({ state: "active", reason: null });
    expect(await world.store.activity.count({ shop: SHOP, kind: "environment_switched" })).toBe(3);
    await end();
  });

  test("the frozen account is not written to, and catches up when it is taken up again", async () => {
    const { world, live, said, change, end } = await both();
    await change("475");
    await world.runFor(3 * MINUTE_MS);
    expect([said(world.account), said(live)]).toEqual([["475"], ["101"]]);
    await switchTo(world, "production");
    await world.runFor(3 * MINUTE_MS);
    expect(said(live)).toEqual(["475"]);
    await change("476");
    await world.runFor(3 * MINUTE_MS);
    expect([said(world.account), said(live)]).toEqual([["475"], ["476"]]);
    await end();
  });

  test("of what is in use already, or was never connected, changes nothing", async () => {
    const world = await createWorld();
    const before = await world.store.connections.list({ shop: SHOP });
    expect(await switchTo(world, "test")).toEqual({ kind: "already" });
    expect(await switchTo(world, "production")).toEqual({ kind: "none" });
    expect(await world.store.connections.list({ shop: SHOP })).toEqual(before);
    expect(await world.store.activity.count({ shop: SHOP })).toBe(0);
  });

  test("pressed twice at once happens once", async () => {
    const { world, end } = await both();
    const press = () => switchEnvironment(world.services, { shop: SHOP, environment: "production" });
    const kinds = (await world.clock.runWhile(Promise.all([press(), press()]))).map(({ kind }) => kind);
    expect(kinds.toSorted()).toEqual(["already", "switched"]);
    await end();
  });

  test("never takes up another shop's account", async () => {
    const world = await createWorld();
    await world.store.shops.insert(shopRecord({ shop: "two.myshopify.com" }));
    const theirs = { id: "theirs", shop: "two.myshopify.com", environment: "production", current: false } as const;
    await world.store.connections.insert(connectionRecord({ ...theirs, state: "aside" }));
    expect(await switchTo(world, "production")).toEqual({ kind: "none" });
  });
});

describe("a switch in the middle of a write", () => {
  test.each([
    ["an update whose answer is lost and that takes effect later", 58_000],
    ["an update that never arrived", null],
  ])(
    "%s: nothing of it reaches the other account, and it is cleared up on the way back",
    async (_what, effectAfterMs) => {
      const { world, live, said, change, end } = await both();
      const unclear = {
        arrivesAfterMs: effectAfterMs === null ? null : 20,
        effectAfterMs,
        answer: { kind: "reset", afterMs: 50 },
      } as const;
      world.outcomeOf = (operation) => (operation === "update" ? unclear : PROMPT);
      await change("475");
      await world.clock.runFor(3_000);
      world.outcomeOf = () => PROMPT;
      expect(await world.store.pendingWrites.count({ shop: SHOP })).toBe(1);
      expect(await switchTo(world, "production")).toEqual({ kind: "switched" });
      await world.runFor(5 * MINUTE_MS);
      expect(said(live)).toEqual(["475"]);
      expect(await switchTo(world, "test")).toEqual({ kind: "switched" });
      await world.runFor(5 * MINUTE_MS);
      expect([said(world.account), said(live)]).toEqual([["475"], ["475"]]);
      expect(await world.store.links.list({ shop: SHOP })).toMatchObject([
        { differences: [], unclear: null },
        { differences: [], unclear: null },
      ]);
      await end();
    },
  );

  test("a create that is unclear is looked for in its own account alone, and nothing is made twice", async () => {
    const { world, live, end } = await both();
    const unclear = { arrivesAfterMs: 20, effectAfterMs: 58_000, answer: { kind: "reset", afterMs: 50 } } as const;
    world.outcomeOf = (operation) => (operation === "create" ? unclear : PROMPT);
    const second = await world.addLocation(2);
    await world.requestWork("location", second);
    await world.clock.runFor(3_000);
    world.outcomeOf = () => PROMPT;
    expect(await switchTo(world, "production")).toEqual({ kind: "switched" });
    await world.runFor(8 * MINUTE_MS);
    expect([world.account.templates.size, live.templates.size]).toEqual([2, 2]);
    await switchTo(world, "test");
    await world.runFor(8 * MINUTE_MS);
    expect([world.account.templates.size, live.templates.size]).toEqual([2, 2]);
    expect(await world.store.links.count({ shop: SHOP, locationId: second })).toBe(2);
    await end();
  });

  test("a run whose answer comes after the switch keeps its link by its own account", async () => {
    const { world, live, end } = await both();
    const testId = (await current(world)).id;
    const late = { arrivesAfterMs: 20, effectAfterMs: 0, answer: { kind: "true", afterMs: 8_000 } } as const;
    world.outcomeOf = (operation) => (operation === "create" ? late : PROMPT);
    const second = await world.addLocation(2);
    await world.requestWork("location", second);
    await world.clock.runFor(2_000);
    await switchTo(world, "production");
    world.outcomeOf = () => PROMPT;
    await world.runFor(8 * MINUTE_MS);
    await switchTo(world, "test");
    await world.runFor(8 * MINUTE_MS);
    const link = await world.store.links.find({ shop: SHOP, connectionId: testId, locationId: second });
    expect(world.account.templates.has(link!.templateId)).toBe(true);
    expect([world.account.templates.size, live.templates.size]).toEqual([2, 2]);
    await end();
  });
});

describe("what the frozen account may have become", () => {
  test("its credentials are refused by now: the account in use stays in use, and its owner is told", async () => {
    const { world, end } = await both();
    world.outcomeOf = () => REFUSED;
    const before = await current(world);
    expect(await switchTo(world, "production")).toMatchObject({ kind: "invalid_client" });
    world.outcomeOf = () => SILENT;
    expect(await switchTo(world, "production")).toMatchObject({ kind: "unreachable" });
    const { id, version, state } = await current(world);
    expect({ id, version, state }).toEqual({ id: before.id, version: before.version, state: "active" });
    await end();
  });

  test("no key opens its secret: nothing is changed", async () => {
    const world = await createWorld();
    const clientSecret = Secret.unreadable("no key");
    const aside = { environment: "production", state: "aside", current: false, clientSecret } as const;
    await world.store.connections.insert(connectionRecord({ id: "live", ...aside }));
    expect(await switchTo(world, "production")).toEqual({ kind: "missing", fields: ["clientSecret"] });
    expect(await current(world)).toMatchObject({ environment: "test", state: "active" });
  });

  test("disconnecting forgets both, and offers no way back without credentials", async () => {
    const { world, end } = await both();
    await world.clock.runWhile(disconnectAccount(world.services, { shop: SHOP }));
    expect((await world.store.connections.list({ shop: SHOP })).every((one) => one.clientSecret === null)).toBe(true);
    expect((await readSettings(world.services, { shop: SHOP }))!.frozen).toBeNull();
    expect(await switchTo(world, "production")).toEqual({ kind: "none" });
    expect(await world.store.links.count({ shop: SHOP })).toBe(2);
    await end();
  });

  test("a look at an account that is still being told apart says nothing of the one taken up meanwhile", async () => {
    const world = await createWorld();
    await world.store.links.insert(linkRecord({ locationId: locationGid(1), templateId: "template-1" }));
    const second = addAccount(world, "client-2");
    second.create({ alias_name: "Bodega", address_type: "from", address_attributes: {} }, "template-1");
    const aside = { environment: "production", state: "aside", current: false } as const;
    await world.store.connections.insert(connectionRecord({ id: "live", clientId: "client-7", ...aside }));
    await world.store.connections.insert(
      connectionRecord({ id: "older", clientId: "client-8", ...aside, clientSecret: null }),
    );
    await world.store.links.insert(
      linkRecord({ id: "link-2", environment: "production", connectionId: "older", templateId: "template-2" }),
    );
    addAccount(world, "production client-7");
    const slow = { ...PROMPT, answer: { kind: "true", afterMs: 8_000 } } as const;
    world.outcomeOf = (operation) => (operation === "list" ? slow : PROMPT);
    const stated = { environment: "test", clientSecret: "a-secret", scope: null, redirectUri: null } as const;
    const connect = connectAccount(world.services, { shop: SHOP, stated: { ...stated, clientId: "client-2" } });
    expect(await world.clock.runWhile(connect)).toEqual({ kind: "unconfirmed" });
    world.outcomeOf = (operation) => (operation === "list" ? SILENT : PROMPT);
    expect(await switchTo(world, "production")).toEqual({ kind: "unconfirmed" });
    await world.runFor(20_000);
    expect(await current(world)).toMatchObject({ id: "live", state: "unconfirmed" });
    expect(await world.store.templates.count({ shop: SHOP, connectionId: "live" })).toBe(0);
  });
});

test("Settings shows both, and every page knows where it is", async () => {
  const { world, end } = await both();
  for (const [environment, other] of [
    ["test", "production"],
    ["production", "test"],
  ] as const) {
    await switchTo(world, environment);
    const view = (await readSettings(world.services, { shop: SHOP }))!;
    expect(view.connection).toMatchObject({ environment });
    expect(view.frozen).toMatchObject({ environment: other, links: 1 });
    expect(JSON.stringify(view)).not.toContain("a-secret");
    expect((await readShell(world.services, { shop: SHOP }))!.connection).toMatchObject({ environment });
  }
  await end();
});
