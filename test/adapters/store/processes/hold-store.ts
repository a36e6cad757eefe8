import { createStore } from "../../../../app/adapters/store/store.ts";
import { KEYS, SILENT } from "../open-store.ts";

// Opens the store at the address given, says so, and stays until it is killed.
await createStore({ url: process.argv[2]!, keys: KEYS, log: SILENT });
console.log("open");
setInterval(() => undefined, 60_000);
