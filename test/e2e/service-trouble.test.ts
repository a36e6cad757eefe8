import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { prepareJob } from "../sandbox/play/job.ts";
import type { Job } from "../sandbox/play/job.ts";
import { STEPS } from "../sandbox/play/steps.ts";
import { until } from "../sandbox/play/until.ts";
import { startSandbox } from "../sandbox/start.ts";
import type { Sandbox } from "../sandbox/start.ts";

/** A service that is away, slow or broken leaves every page readable, and each says what is wrong, by the service's name. How fast: `npm run bench -- pages`. */

const NAME = "Paquetería Norte";

describe("while the shipping service", () => {
  let sandbox: Sandbox;
  let job: Job;
  let paths: string[];

  beforeAll(async () => {
    sandbox = await startSandbox({ shops: 1, locale: "en", appEnv: { SHIPPING_SERVICE_NAME: NAME } });
    job = prepareJob(sandbox);
    for (const step of STEPS.slice(0, 5)) await step.run(job);
    const [location] = job.origins();
    const template = await job.templateOf(location!);
    paths = [
      "/app",
      "/app/origins",
      `/app/origins/${location!.id}`,
      "/app/review",
      "/app/address-book",
      "/app/address-book/new",
      `/app/address-book/${template!.id}`,
      "/app/activity",
      "/app/settings",
    ];
  });

  afterAll(() => sandbox?.stop());

  const health = async (): Promise<string> => {
    const shell = await job.visitor.load<{ connection: { health: string } }>("/app/settings", "routes/app");
    return shell.connection.health;
  };
  const look = () => job.visitor.submit<{ refreshed: string }>("/app", "routes/app", { intent: "refresh_connection" });

  afterEach(async () => {
    sandbox.shipping!.faults.clear();
    await sandbox.shipping!.comeUp();
    await until({
      what: "The connection's recovery, by the one button",
      read: async () => ((await health()) === "ready" ? "ready" : (await look(), health())),
      holds: (now) => now === "ready",
    });
  });

  const TROUBLES: Record<string, { begin: () => Promise<unknown>; says: string }> = {
    "is stopped": { begin: () => sandbox.shipping!.goDown(), says: `${NAME} is not responding` },
    "answers 500": {
      begin: async () => sandbox.shipping!.faults.set({ kind: "error-before", status: 500 }),
      says: `Nothing can be saved in your ${NAME} account right now`,
    },
  };

  test.for(Object.keys(TROUBLES))("%s, every page answers and says so", async (name) => {
    const { begin, says } = TROUBLES[name]!;
    await begin();
    expect((await look()).refreshed).not.toBe("mended");
    await until({ what: "The failure", read: health, holds: (now) => now === "failing" });
    for (const path of paths) {
      const { status, html } = await job.visitor.open(path);
      expect([path, status, html.includes(says)]).toEqual([path, 200, true]);
    }
  });

  test("is slow, every page answers before it does", async () => {
    // Just less than the app waits for one answer.
    sandbox.shipping!.faults.set({ kind: "slow", delayMs: 9_000, way: "out" });
    const answers = (): number => sandbox.shipping!.report().answersByStatus["200"] ?? 0;
    const before = answers();
    const asked = look();
    for (const path of paths) {
      const { status } = await job.visitor.open(path);
      expect([path, status]).toEqual([path, 200]);
    }
    const while_ = answers();
    await asked;
    await until({ what: "The slow answer", read: answers, holds: (now) => now > before });
    expect(while_ - before).toBe(0);
  });
});
