import { runAsProcess } from "./commands/command.ts";
import { importPostalCodes } from "./commands/import-postal-codes.ts";

await runAsProcess(importPostalCodes);
