import { afterEach, beforeEach, describe } from "vitest";
import type { Store } from "../../app/ports.ts";
import { conditionsContract } from "./store/conditions.ts";
import { keysContract } from "./store/keys.ts";
import { postalCodesContract } from "./store/postal-codes.ts";
import { recordsContract } from "./store/records.ts";
import { togetherContract } from "./store/together.ts";
import { transactionsContract } from "./store/transactions.ts";

/** What the port promises, for every store: Prisma's on each database, and the fake that stands in for it. */

export interface OpenStore {
  store: Store;
  close(): Promise<void>;
}

/** `makeStore` gives an empty store of its own to each test. */
export function storeContract(name: string, makeStore: () => Promise<OpenStore>): void {
  describe(`the store's contract: ${name}`, () => {
    let opened: OpenStore;
    beforeEach(async () => {
      opened = await makeStore();
    });
    afterEach(() => opened.close());

    const store = () => opened.store;
    describe("records", () => recordsContract(store));
    describe("conditions", () => conditionsContract(store));
    describe("keys and parents", () => keysContract(store));
    describe("transactions", () => transactionsContract(store));
    describe("small works", () => togetherContract(store));
    describe("postal codes", () => postalCodesContract(store));
  });
}
