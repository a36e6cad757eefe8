import { runAsProcess } from "./commands/command.ts";
import { move } from "./commands/move.ts";

await runAsProcess(move);
