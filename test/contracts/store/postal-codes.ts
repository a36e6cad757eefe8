import { expect, test } from "vitest";
import type { PostalFacts } from "../../../app/domain/mexico/postal-codes.ts";
import type { PostalList, Store } from "../../../app/ports.ts";
import { postalFacts, ROMA_NORTE } from "../../fakes/postal-codes.ts";

/** Settlements of the code say which list they came from. */
const listOf = (name: string, codes: number): PostalFacts[] =>
  Array.from({ length: codes }, (_, nth) =>
    postalFacts({ code: String(10_000 + nth), settlements: [{ name: `${name} ${nth}`, kind: "Colonia" }] }),
  );

const list = (codes: PostalFacts[], over: Partial<PostalList> = {}): PostalList => ({
  source: "table",
  importedAtMs: 5,
  codes,
  ...over,
});

export function postalCodesContract(store: () => Store): void {
  const nameAt = async (code: string) => (await store().postalCodes.find(code))?.settlements[0]?.name;

  test("without a list nothing is found", async () => {
    const { postalCodes } = store();
    expect(await postalCodes.find("06700")).toBeNull();
    expect(await postalCodes.findAll(["06700", "44100"])).toEqual(new Map());
    expect(await postalCodes.findAll([])).toEqual(new Map());
    expect(await postalCodes.edition()).toBeNull();
  });

  test("what a list says is found as it was, code by code or many at once", async () => {
    const { postalCodes } = store();
    const bare = postalFacts({ code: "77500", state: null, municipality: null, city: null, settlements: [] });
    const edition = await postalCodes.replace(list([ROMA_NORTE, bare], { source: "geonames", importedAtMs: 7 }));
    expect(edition).toEqual({ number: 1, source: "geonames", importedAtMs: 7, codes: 2, settlements: 1 });
    expect(await postalCodes.edition()).toEqual(edition);
    expect(await postalCodes.find("06700")).toEqual(ROMA_NORTE);
    expect(await postalCodes.find("77500")).toEqual(bare);
    expect(await postalCodes.find("0670")).toBeNull();
    expect(await postalCodes.findAll(["77500", "06700", "06700", "99999"])).toEqual(
      new Map([
        ["06700", ROMA_NORTE],
        ["77500", bare],
      ]),
    );
  });

  test("a newer list replaces the older one whole, and tells how far it is", async () => {
    const { postalCodes } = store();
    await postalCodes.replace(list(listOf("old", 1_200)));
    const told: number[] = [];
    const edition = await postalCodes.replace(list(listOf("new", 700), { onProgress: (stored) => told.push(stored) }));
    expect(told.at(-1)).toBe(700);
    expect(edition).toMatchObject({ number: 2, codes: 700 });
    expect(await nameAt("10699")).toBe("new 699");
    expect(await postalCodes.find("10700")).toBeNull();
  });

  test("a list with a code that comes twice is refused, and the one in use stays", async () => {
    const { postalCodes } = store();
    const edition = await postalCodes.replace(list(listOf("good", 600)));
    const twice = [...listOf("bad", 600), ROMA_NORTE, ROMA_NORTE];
    await expect(postalCodes.replace(list(twice))).rejects.toMatchObject({ name: "AppError" });
    expect(await postalCodes.edition()).toEqual(edition);
    expect(await nameAt("10599")).toBe("good 599");
    await postalCodes.replace(list(listOf("better", 1)));
    expect(await nameAt("10000")).toBe("better 0");
    expect(await nameAt("10599")).toBeUndefined();
  });

  test("the number of an import that failed is not given to the next one, for others may still be at it", async () => {
    const { postalCodes } = store();
    const before = await postalCodes.replace(list(listOf("good", 1)));
    await expect(postalCodes.replace(list([ROMA_NORTE, ROMA_NORTE]))).rejects.toMatchObject({ name: "AppError" });
    const after = await postalCodes.replace(list(listOf("better", 1)));
    expect(after.number).toBe(before.number + 2);
  });

  test("whoever reads while a list is exchanged sees the one or the other, never none", async () => {
    const { postalCodes } = store();
    await postalCodes.replace(list(listOf("old", 600)));
    let isDone = false;
    const exchanging = postalCodes.replace(list(listOf("new", 600))).finally(() => (isDone = true));
    const seen = new Set<string | undefined>();
    while (!isDone) seen.add(await nameAt("10599"));
    await exchanging;
    seen.add(await nameAt("10599"));
    expect([...seen].every((name) => name === "old 599" || name === "new 599")).toBe(true);
    expect(await nameAt("10599")).toBe("new 599");
  });

  test("of several at once one whole list is in use, and the others say that they changed nothing", async () => {
    const { postalCodes } = store();
    const names = ["one", "two", "three"];
    const ended = await Promise.allSettled(names.map((name) => postalCodes.replace(list(listOf(name, 1_100)))));
    const winners = names.filter((_, nth) => ended[nth]!.status === "fulfilled");
    expect(winners.length).toBeGreaterThan(0);
    const [first, last] = [await nameAt("10000"), await nameAt("11099")];
    expect(winners).toContain(first?.split(" ")[0]);
    expect(last?.split(" ")[0]).toBe(first?.split(" ")[0]);
    for (const each of ended)
      if (each.status === "rejected") expect(each.reason).toMatchObject({ name: "AppError", kind: "superseded" });
    expect((await postalCodes.findAll(listOf("any", 1_100).map(({ code }) => code))).size).toBe(1_100);
  });
}
