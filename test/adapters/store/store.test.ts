import { storeContract } from "../../contracts/store.ts";
import { openFreshStore } from "./open-store.ts";

storeContract("Prisma on SQLite", openFreshStore);
