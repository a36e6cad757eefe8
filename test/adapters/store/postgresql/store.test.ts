import { afterAll, beforeAll } from "vitest";
import { storeContract } from "../../../contracts/store.ts";
import { sharedPostgres, type SharedPostgres } from "./open-postgres.ts";

let shared: SharedPostgres;
beforeAll(async () => {
  shared = await sharedPostgres();
});
afterAll(() => shared.close());

storeContract("Prisma on PostgreSQL", async () => ({ store: shared.store, close: () => shared.empty() }));
