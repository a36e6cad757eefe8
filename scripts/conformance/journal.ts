import { appendFileSync, closeSync, existsSync, fsyncSync, mkdirSync, openSync, readFileSync } from "node:fs";
import { dirname } from "node:path";

/**
 * What was made at the service, written to the disk before and after each create, so that a run which was killed leaves nothing that the
 * next one does not know of. A line is a JSON object; a last line that a kill cut in half is left out.
 */
export interface Entry {
  /** Which account: the service's address and a hash of the client id. */
  account: string;
  /** Unique, by chance; it stands at the beginning of the template's alias and of its reference. */
  name: string;
  announcedAtMs: number;
  /** Null where the answer was lost. */
  id: string | null;
}

interface Line {
  event: "announced" | "made" | "gone";
  account: string;
  name: string;
  atMs: number;
  id?: string;
}

export interface Journal {
  announce(name: string, atMs: number): void;
  made(name: string, id: string): void;
  gone(name: string): void;
  /** What this account may still have of all runs, oldest first. */
  open(): Entry[];
  /** How many entries of other accounts or services are open. */
  elsewhere(): number;
}

export function openJournal(file: string, account: string): Journal {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const entries = new Map<string, Entry>();
  const keep = (line: Line) => {
    if (line.event === "gone") return void entries.delete(line.name);
    const { name, account: whose, atMs } = line;
    const known = entries.get(name) ?? { account: whose, name, announcedAtMs: atMs, id: null };
    entries.set(name, { ...known, id: line.id ?? known.id });
  };
  for (const line of existsSync(file) ? read(file) : []) keep(line);

  function write(line: Omit<Line, "account">): void {
    const whole = { ...line, account };
    const handle = openSync(file, "a", 0o600);
    appendFileSync(handle, `${JSON.stringify(whole)}\n`);
    fsyncSync(handle);
    closeSync(handle);
    keep(whole);
  }

  return {
    announce: (name, atMs) => write({ event: "announced", name, atMs }),
    made: (name, id) => write({ event: "made", name, atMs: 0, id }),
    gone: (name) => write({ event: "gone", name, atMs: 0 }),
    open: () => [...entries.values()].filter((entry) => entry.account === account),
    elsewhere: () => [...entries.values()].filter((entry) => entry.account !== account).length,
  };
}

function read(file: string): Line[] {
  return readFileSync(file, "utf8")
    .split("\n")
    .flatMap((text) => {
      try {
        return text === "" ? [] : [JSON.parse(text) as Line];
      } catch {
        return [];
      }
    });
}
