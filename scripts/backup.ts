import { backup } from "./commands/backup.ts";
import { runAsProcess } from "./commands/command.ts";

await runAsProcess(backup);
