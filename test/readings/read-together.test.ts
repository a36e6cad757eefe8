import { expect, test } from "vitest";
import type { Store } from "../../app/ports.ts";
import { readTogether } from "../../app/readings/read-together.ts";

/** Readings that end when they are told to. */
function reader() {
  const store = {} as Store;
  const readings: { ids: string[]; end: (error?: Error) => void }[] = [];
  const ask = (ids: string[], shop = "a") =>
    readTogether({ store, shop, ids }, (wanted) => {
      const { promise, resolve, reject } = Promise.withResolvers<string>();
      const answer = wanted.join("");
      readings.push({ ids: wanted, end: (error) => (error ? reject(error) : resolve(answer)) });
      return promise;
    });
  return { ask, readings };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

test("what is asked while one question is read is read together, each thing once", async () => {
  const { ask, readings } = reader();
  const first = ask(["1"]);
  await turn();
  const others = [ask(["1", "2"]), ask(["2", "3"]), ask(["1"])];
  await turn();
  expect(readings.map(({ ids }) => ids)).toEqual([["1"]]);
  readings[0]!.end();
  expect(await first).toBe("1");
  await turn();
  expect(readings.map(({ ids }) => ids)).toEqual([["1"], ["1", "2", "3"]]);
  readings[1]!.end();
  expect(await Promise.all(others)).toEqual(["123", "123", "123"]);
});

test("a question that comes after a reading has begun is never answered by it", async () => {
  const { ask, readings } = reader();
  const first = ask(["1"]);
  await turn();
  const second = ask(["1"]);
  readings[0]!.end();
  await first;
  await turn();
  expect(readings).toHaveLength(2);
  readings[1]!.end();
  await second;
});

test("shops do not wait for each other, and a failed reading fails only those who asked for it", async () => {
  const { ask, readings } = reader();
  const failing = ask(["1"]);
  const other = ask(["1"], "b");
  await turn();
  expect(readings).toHaveLength(2);
  const later = ask(["2"]);
  readings[0]!.end(new Error("busy"));
  await expect(failing).rejects.toThrow("busy");
  readings[1]!.end();
  expect(await other).toBe("1");
  await turn();
  readings[2]!.end();
  expect(await later).toBe("2");
});
