import { admin } from "./commands/admin.ts";
import { runAsProcess } from "./commands/command.ts";

await runAsProcess(admin);
