/** What an operator's command gets, and where it says what it did: its process's own when it is started, a test's otherwise. */
export interface CommandInput {
  /** What stands behind the command's name. */
  args: string[];
  env: Readonly<Record<string, string | undefined>>;
  say(line: string): void;
  /** Says why it failed. */
  complain(why: unknown): void;
}

/** Gives the exit code. It leaves nothing open and changes nothing of the process it runs in, for a test runs many in its own. */
export type Command = (input: CommandInput) => Promise<number>;

/** A command that fails with a sentence when `work` throws. */
export function command(work: (input: CommandInput) => Promise<void>): Command {
  return async (input) => {
    try {
      await work(input);
      return 0;
    } catch (error) {
      input.complain(error instanceof Error ? error.message : error);
      return 1;
    }
  };
}

/** Runs a command as this process, whose code it becomes. */
export async function runAsProcess(run: Command): Promise<void> {
  const code = await run({
    args: process.argv.slice(2),
    env: process.env,
    say: (line) => console.log(line),
    complain: (why) => console.error(why),
  });
  if (code !== 0) process.exitCode = code;
}
