import { storeContract } from "../contracts/store.ts";
import { createMemoryStore } from "./memory-store.ts";

storeContract("in memory", async () => ({ store: createMemoryStore(), close: async () => undefined }));
