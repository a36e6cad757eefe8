import { afterAll, beforeAll, expect, test } from "vitest";
import { startSandbox } from "../sandbox/start.ts";
import type { Sandbox } from "../sandbox/start.ts";
import { createVisitor } from "../sandbox/play/visitor.ts";
import type { Visitor } from "../sandbox/play/visitor.ts";
import { STORE } from "../e2e/job-stage.ts";

/** The built app as a process: a shop that opens pages without end is told to wait, and is still served what has another share. */

/** Twelve readings at once, and one more in a second: a document is two or three. */
const PAGES_A_SECOND = "1";
const SHARE = 12;
/** Some twenty short forms at once. */
const STORED_MB_A_DAY = "0.04";

let sandbox: Sandbox;
let visitor: Visitor;

beforeAll(async () => {
  sandbox = await startSandbox({ shops: 1, appEnv: { PAGES_A_SECOND, STORED_MB_A_DAY } });
  visitor = createVisitor({ adminUrl: sandbox.adminUrl, store: STORE });
});
afterAll(() => sandbox?.stop());

test("a page beyond the share says so, with when to come again, and forms go on", async () => {
  expect((await visitor.open("/app/settings")).status).toBe(200);
  // All at once: opened one after another, they would be served from what has come since on a slow machine.
  const seen = await Promise.all(Array.from({ length: SHARE }, () => visitor.open("/app/settings")));
  const beyond = seen.find(({ status }) => status === 429)!;
  expect(beyond?.html).toMatch(/Too many requests at once|Demasiadas solicitudes a la vez/);
  expect(Number(beyond.headers.get("Retry-After"))).toBeGreaterThan(0);
  // As many at once as a whole share: a slow machine may serve some of them from what has come since.
  const loads = Array.from({ length: SHARE }, () => visitor.load("/app/settings", "routes/app.settings"));
  const refused = (await Promise.allSettled(loads)).flatMap((load) =>
    load.status === "rejected" ? [String(load.reason)] : [],
  );
  expect(refused).toContainEqual(expect.stringMatching(/429.*tooManyForS/));
  expect(await visitor.submit("/app/settings", "routes/app.settings", { intent: "disconnect" })).toMatchObject({
    intent: "disconnect",
  });
});

test("a form beyond what a shop may store in a day says so, and its page stays", async () => {
  const disconnect = () => visitor.submit("/app/settings", "routes/app.settings", { intent: "disconnect" });
  let refusal = "";
  for (let count = 0; refusal === "" && count < 40; count += 1)
    await disconnect().catch((thrown: unknown) => (refusal = String(thrown)));
  expect(refusal).toMatch(/429.*"isStored":true/);
});
