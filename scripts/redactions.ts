import { runAsProcess } from "./commands/command.ts";
import { redactions } from "./commands/redactions.ts";

await runAsProcess(redactions);
