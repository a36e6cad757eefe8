import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { attack } from "./attack.ts";
import { attacksOn, forgotten } from "./routes.ts";
import type { Attack } from "./routes.ts";
import { createSender } from "./sender.ts";
import type { Sent } from "./sender.ts";
import { CANARY, startStage } from "./stage.ts";
import type { Stage } from "./stage.ts";
import { badTokens } from "./tokens.ts";
import { replayed, steps } from "./webhooks.ts";

/** The short form of `npm run test:hostile`: every route, with another shop's ids and with every token that is none. */

let stage: Stage;
let sender: ReturnType<typeof createSender>;

beforeAll(async () => {
  stage = await startStage();
  // Other tests have the machine, too; `npm run test:hostile` looks closer.
  sender = createSender(stage.sandbox.app.url, { hangMs: 20_000 });
});
afterAll(async () => {
  sender?.close();
  await stage?.stop();
});

const ask = (
  { method, path, body }: Pick<Sent, "method" | "path"> & Pick<Attack, "body">,
  route: string,
  token: string | null,
) => {
  const isApi = path.startsWith("/api/");
  const address = isApi
    ? path
    : `${path}${path.includes("?") ? "&" : "?"}_data=${encodeURIComponent(`routes/${route}`)}`;
  const headers: Record<string, string> = token === null ? {} : { Authorization: `Bearer ${token}` };
  return sender.send({ method, path: address, headers, ...(body && { body: JSON.stringify(body) }) });
};

test("no route and no intent is forgotten", () => {
  expect(forgotten(stage.theirs)).toEqual([]);
});

describe("another shop's things", () => {
  test("are not found, not told and not changed, on every route and by every intent", async () => {
    const before = await stage.victimRows();
    expect(JSON.stringify(before)).toContain(CANARY);
    const wrong: string[] = [];
    for (const each of attacksOn(stage.theirs)) {
      const { status, text } = await ask(each, each.route, stage.token());
      const told = `${each.method} ${each.path} ${JSON.stringify(each.body ?? "")}: ${status}`;
      if (each.gets === "none" ? status !== 404 : status >= 400) wrong.push(told);
      if (text.includes(CANARY) || text.includes(stage.theirs.shop)) wrong.push(`${told} tells ${text.slice(0, 300)}`);
    }
    expect(wrong).toEqual([]);
    expect(await stage.victimRows()).toEqual(before);
  });

  test("are no nearer with a token that is none", async () => {
    const before = await stage.victimRows();
    const wrong: string[] = [];
    const attacks = attacksOn(stage.theirs).filter(({ open }) => !open);
    for (const [name, token] of Object.entries(badTokens(stage)))
      await Promise.all(
        attacks.map(async (attack) => {
          const { status } = await ask(attack, attack.route, token);
          if (status !== 401 && attack.route !== "app.$")
            wrong.push(`${name}: ${attack.method} ${attack.path}: ${status}`);
        }),
      );
    await Promise.all(
      attacks.map(async (attack) => {
        const { status, headers } = await ask(attack, attack.route, null);
        const isSentAway = status === 204 || (status === 302 && headers.location === "/auth/login");
        if (!isSentAway && attack.route !== "app.$") wrong.push(`no token: ${attack.method} ${attack.path}: ${status}`);
      }),
    );
    expect(wrong).toEqual([]);
    expect(await stage.victimRows()).toEqual(before);
  });
});

test("a method that no route answers is a 405 on every route, and one without an action takes no form", async () => {
  const wrong: string[] = [];
  const gets = attacksOn(stage.theirs).filter(({ method }) => method === "GET");
  const posts = new Set(attacksOn(stage.theirs).flatMap(({ method, route }) => (method === "POST" ? [route] : [])));
  // It takes a form with a file, and no attack is one.
  posts.add("app.origins.import");
  for (const { path, route } of gets) {
    const methods = ["PUT", "DELETE", "PATCH", "TRACE", ...(posts.has(route) || route === "app.$" ? [] : ["POST"])];
    for (const method of methods) {
      const body = method === "POST" ? { body: {} } : {};
      const { status } = await ask({ method, path, ...body }, route, stage.token());
      if (status !== 405) wrong.push(`${method} ${path}: ${status}`);
    }
  }
  expect(wrong).toEqual([]);
});

describe("a webhook whose signed body is another shop's", () => {
  test("is taken at every age, and neither stops nor erases the shop of its header", async () => {
    // What is granted is asked of Shopify again, and noted.
    const webhooks = replayed(stage, { honest: true }).filter(({ topic }) => topic !== "app/scopes_update");
    const before = await stage.victimRows();
    const statuses = await Promise.all(webhooks.map(async (one) => (await sender.send(one)).status));
    expect(new Set(statuses)).toEqual(new Set([200]));
    expect(await stage.victimRows()).toEqual(before);
  });

  test("is refused where Shopify has not signed it", async () => {
    const before = await stage.victimRows();
    const statuses = await Promise.all(
      replayed(stage, { honest: false }).map(async (one) => (await sender.send(one)).status),
    );
    expect(new Set(statuses)).toEqual(new Set([401]));
    expect(await stage.victimRows()).toEqual(before);
  });
});

test("a step of a workflow acts on the shop that its signed body names, and nothing else passes for one", async () => {
  const before = await stage.victimRows();
  const wrong: string[] = [];
  for (const { gets, ...step } of steps(stage)) {
    const { status, text } = await sender.send(step);
    if (status !== gets || text.includes(CANARY)) wrong.push(`${String(step.body)}: ${status} ${text}`);
  }
  for (const method of ["GET", "PUT", "DELETE", "PATCH", "TRACE"]) {
    const { status } = await sender.send({ method, path: "/flow/verify-origin" });
    if (status !== 405) wrong.push(`${method}: ${status}`);
  }
  expect(wrong).toEqual([]);
  expect(await stage.victimRows()).toEqual(before);
});

test("requests from a seed end in no error of the server", async () => {
  const before = await stage.victimRows();
  const outcome = await attack(stage, sender, { requests: 400, seed: 1 });
  expect(outcome.reached).toBeGreaterThan(0.7);
  expect(await stage.victimRows()).toEqual(before);
});

test("nothing of it was an error of the server, hung, or reset a connection", () => {
  const { sent, serverErrors, hangs, resets } = sender.tally;
  expect(sent).toBeGreaterThan(300);
  expect({ serverErrors, hangs, resets }).toEqual({ serverErrors: [], hangs: [], resets: [] });
});
