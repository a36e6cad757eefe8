import { runAsProcess } from "./commands/command.ts";
import { restore } from "./commands/restore.ts";

await runAsProcess(restore);
