import { expect, test } from "vitest";
import { createLines } from "../../../app/adapters/store/transactions/lines.ts";
import { isRetryable } from "../../../app/adapters/store/transactions/retryable.ts";

/** Plays turns that end when they are told to. */
function play(most: number) {
  const lines = createLines(most);
  const running: string[] = [];
  const ends = new Map<string, PromiseWithResolvers<void>>();
  const settle = () => new Promise((resolve) => setImmediate(resolve));
  return {
    lines,
    running,
    enter(name: string, shop: string | null) {
      ends.set(name, Promise.withResolvers());
      return lines.enter(shop, async () => {
        running.push(name);
        await ends.get(name)!.promise.finally(() => running.splice(running.indexOf(name), 1));
      });
    },
    async end(name: string, error?: Error) {
      if (error) ends.get(name)!.reject(error);
      else ends.get(name)!.resolve();
      await settle();
    },
    settle,
  };
}

test("a shop's are one after another, another shop's beside them, and a failure holds nobody back", async () => {
  const { enter, end, running, settle } = play(9);
  const failing = enter("a1", "a");
  failing.catch(() => undefined);
  void enter("a2", "a");
  void enter("b1", "b");
  await settle();
  expect(running).toEqual(["a1", "b1"]);
  await end("a1", new Error("stop"));
  await expect(failing).rejects.toThrow("stop");
  expect(running).toEqual(["b1", "a2"]);
});

test("every shop's waits for all before it, and all after it wait", async () => {
  const { enter, end, running, settle, lines } = play(9);
  for (const [name, shop] of [
    ["a1", "a"],
    ["b1", "b"],
    ["all", null],
    ["a2", "a"],
    ["c1", "c"],
  ] as const)
    void enter(name, shop);
  let idle = false;
  void lines.idle().then(() => (idle = true));
  await settle();
  expect(running).toEqual(["a1", "b1"]);
  await end("a1");
  expect(running).toEqual(["b1"]);
  await end("b1");
  expect(running).toEqual(["all"]);
  await end("all");
  expect(running).toEqual(["a2", "c1"]);
  expect(idle).toBe(false);
  await end("a2");
  await end("c1");
  expect(idle).toBe(true);
});

test("no more run at once than may, and those that wait go on in turn", async () => {
  const { enter, end, running, settle } = play(2);
  for (const shop of ["a", "b", "c", "d"]) void enter(shop, shop);
  await settle();
  expect(running).toEqual(["a", "b"]);
  await end("a");
  expect(running).toEqual(["b", "c"]);
  await end("b");
  await end("c");
  expect(running).toEqual(["d"]);
});

const wrapped = (cause: unknown) => new Error("store: Link failed", { cause });

test.each([
  ["a model's call", { name: "DriverAdapterError", cause: { originalCode: "40P01" } }, true],
  ["a raw statement", { code: "P2010", meta: { code: "40001" } }, true],
  [
    "a raw statement, told by its adapter",
    { code: "P2010", meta: { driverAdapterError: { cause: { originalCode: "40P01" } } } },
    true,
  ],
  ["a write conflict", { code: "P2034" }, true],
  ["a taken key", { code: "P2002", meta: { driverAdapterError: { cause: { originalCode: "23505" } } } }, false],
  ["a cut connection", { name: "DriverAdapterError", cause: { kind: "ConnectionClosed" } }, false],
  ["nothing", undefined, false],
])("%s may be run again or not, also as the store's own fault", (_what, error, expected) => {
  expect([isRetryable(error), isRetryable(wrapped(error))]).toEqual([expected, expected]);
});
