import { expect, test } from "vitest";
import { logInContext, storeInContext, withLogFields } from "../../app/http/log-context.ts";
import type { Log } from "../../app/ports.ts";
import { openFreshStore } from "../adapters/store/open-store.ts";

function keptLog() {
  const lines: Record<string, unknown>[] = [];
  const keep = (fields: Record<string, unknown>) => void lines.push(fields);
  const log: Log = logInContext({ info: keep, warn: keep, error: keep });
  return { log, lines };
}

test("what goes on within has the fields, after waits too, and what goes on beside has not", async () => {
  const { log, lines } = keptLog();
  await Promise.all([
    withLogFields({ webRequestId: "a" }, async () => {
      await new Promise(setImmediate);
      withLogFields({ runId: "b" }, () => log.info({ own: 1 }, "said"));
    }),
    withLogFields({ webRequestId: "c" }, async () => log.warn({}, "said")),
  ]);
  log.error({}, "said");
  expect(lines).toEqual([{ webRequestId: "c" }, { webRequestId: "a", runId: "b", own: 1 }, {}]);
});

test("what a transaction logs that waited in the line has its own fields, not those of the one before", async () => {
  const { log, lines } = keptLog();
  const { store, close } = await openFreshStore();
  const inContext = storeInContext(store);
  const one = (runId: string) =>
    withLogFields({ runId }, () => inContext.transaction("one.myshopify.com", async () => log.info({}, "said")));
  await Promise.all(["1", "2", "3"].map(one));
  expect(lines).toEqual([{ runId: "1" }, { runId: "2" }, { runId: "3" }]);
  await close();
});
