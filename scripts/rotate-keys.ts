import { runAsProcess } from "./commands/command.ts";
import { rotateKeys } from "./commands/rotate-keys.ts";

await runAsProcess(rotateKeys);
