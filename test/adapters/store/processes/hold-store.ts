import { createStore } from "../../../../app/adapters/store/store.ts";
import { KEYS, SILENT } from "../open-store.ts";

// Opens the store at the address given, says so, and stays until it is killed; told to stop, it takes so many milliseconds for that.
const [url, drainsForMs = "0"] = process.argv.slice(2);
const store = await createStore({ url: url!, keys: KEYS, log: SILENT });
process.once("SIGTERM", () => {
  console.log("stopping");
  setTimeout(() => void store.close().then(() => process.exit(0)), Number(drainsForMs));
});
console.log("open");
setInterval(() => undefined, 60_000);
