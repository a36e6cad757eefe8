import { join } from "node:path";
import { createInterface } from "node:readline";
import { parseArgs } from "node:util";
import { SERVER_FLAGS } from "../../scripts/builds/server-command.ts";
import { end, firstLine, startNode } from "./budget/stand-in.ts";
import type { What } from "./calls/contender.ts";
import type { ClientOptions, Took } from "./calls/processes/client.ts";
import type { BenchRow } from "./run.ts";

/**
 * What a call of our shipping client costs beside bare undici, and beside two stacks that one would put together instead. All ask the same of
 * one bare server for eight shops at once, each from a process of its own, in turns: whatever else the machine does hits all alike. A figure
 * is the median of the ratios of the rounds, so `--rounds` and `--calls` make it shorter, not different.
 *
 * Beside bare undici, which waits for nobody, our client has no line. Beside the others, whose limiters are open, it has its own, as open.
 */

type Name = ClientOptions["contender"];

const NAMES: Name[] = ["ours", "bareUndici", "oursInLine", "got", "axios"];
const WORDS: Record<Name, string> = {
  ours: "ours",
  oursInLine: "ours in its line",
  bareUndici: "bare undici",
  got: "got + p-throttle",
  axios: "axios + axios-retry + Bottleneck",
};
const WHAT: Record<What, string> = { template: "one template", page: "a page of 20" };

const MOST_BESIDE_UNDICI = 1.5;

export async function bench(argv: string[]): Promise<BenchRow[]> {
  const { values } = parseArgs({
    args: argv,
    options: {
      rounds: { type: "string", default: "24" },
      calls: { type: "string", default: "200" },
      // The compiler and the connections are warm after so many rounds.
      "warm-up": { type: "string", default: "10" },
    },
  });
  const size = { rounds: Number(values.rounds), calls: Number(values.calls), warmUp: Number(values["warm-up"]) };
  const server = startNode(join(import.meta.dirname, "calls/processes/server.ts"), []);
  try {
    const url = await firstLine(server);
    const rows: BenchRow[] = [];
    for (const what of ["template", "page"] as const)
      rows.push(...rowsOf(what, await inTurns({ url, what, ...size }), size));
    return rows;
  } finally {
    await end(server, "SIGTERM");
  }
}

interface Client {
  round(calls: number): Promise<Took>;
  stop(): Promise<void>;
}

async function startClient(options: ClientOptions): Promise<Client> {
  const program = join(import.meta.dirname, "calls/processes/client.ts");
  const child = startNode(program, [JSON.stringify(options)], { flags: SERVER_FLAGS });
  const lines = createInterface({ input: child.stdout! })[Symbol.asyncIterator]();
  const said = async () => {
    const line = await lines.next();
    if (line.done) throw new Error(`${options.contender} ended`);
    return line.value;
  };
  await said();
  return {
    async round(calls) {
      const answer = said();
      child.stdin!.write(`${calls}\n`);
      return JSON.parse(await answer) as Took;
    },
    stop: () => end(child, "SIGTERM"),
  };
}

/** The rounds of each contender, the same turn at the same index. */
async function inTurns(
  input: { url: string; what: What } & { rounds: number; calls: number; warmUp: number },
): Promise<Record<Name, Took[]>> {
  const { url, what, rounds, calls, warmUp } = input;
  const clients = new Map<Name, Client>();
  const took: Record<Name, Took[]> = { ours: [], oursInLine: [], bareUndici: [], got: [], axios: [] };
  try {
    for (const contender of NAMES) clients.set(contender, await startClient({ contender, url, what }));
    for (let round = -warmUp; round < rounds; round += 1) {
      for (const [name, client] of clients) {
        const one = await client.round(calls);
        if (round >= 0) took[name].push(one);
      }
    }
    return took;
  } finally {
    await Promise.all([...clients.values()].map((client) => client.stop()));
  }
}

function rowsOf(what: What, took: Record<Name, Took[]>, { calls }: { calls: number }): BenchRow[] {
  const ratio = ([one, other]: [Name, Name], of: keyof Took) =>
    Math.round(median(took[one].map((mine, round) => mine[of] / took[other][round]![of])) * 100) / 100;
  const named = ([one, other]: [Name, Name], time: string) => ({
    name: `${WHAT[what]}: ${time}, ${WORDS[one]} ÷ ${WORDS[other]}`,
    unit: "",
  });
  const besideUndici = (of: keyof Took, time: string): BenchRow => {
    const pair: [Name, Name] = ["ours", "bareUndici"];
    const figure = ratio(pair, of);
    return { ...named(pair, time), figure, goal: `≤ ${MOST_BESIDE_UNDICI}`, met: figure <= MOST_BESIDE_UNDICI };
  };
  const besidePeer = (peer: Name): BenchRow => {
    const pair: [Name, Name] = ["oursInLine", peer];
    const figure = ratio(pair, "cpuMs");
    return { ...named(pair, "processor time"), figure, goal: "< 1", met: figure < 1 };
  };
  return [
    besideUndici("cpuMs", "processor time"),
    besideUndici("wallMs", "wall time"),
    besidePeer("got"),
    besidePeer("axios"),
    ...NAMES.map((name) => ({
      name: `${WHAT[what]}: processor time of a call, ${WORDS[name]}`,
      figure: Math.round((median(took[name].map(({ cpuMs }) => cpuMs)) / calls) * 1_000),
      unit: "µs",
      goal: "told",
      met: true,
    })),
  ];
}

function median(numbers: number[]): number {
  const inOrder = numbers.toSorted((a, b) => a - b);
  const middle = inOrder.length >> 1;
  return inOrder.length % 2 === 1 ? inOrder[middle]! : (inOrder[middle - 1]! + inOrder[middle]!) / 2;
}
