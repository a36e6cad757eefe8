import { AppError } from "../../../domain/errors.ts";
import type { RowKeys, SmallWork, Tables, Transaction } from "../../../ports.ts";
import type { Keyring } from "../encryption.ts";
import { fromRow } from "../row.ts";
import { failedOnce, type Calls } from "../transactions/failed-once.ts";
import { TABLE_SPECS } from "../table-specs.ts";
import type { Unreadable } from "../unreadable.ts";
import { fillRows, heldTable, holdRows, NAMED_BY } from "./held-rows.ts";
import type { Fields, HeldName, HeldRows, Undo } from "./held-rows.ts";
import type { RowsAsTable } from "./rows-as-table.ts";
import { readStatement, writeStatements } from "./statements.ts";

/** Many small works in one transaction. */

export interface Waiting {
  shop: string;
  small: SmallWork<unknown>;
  resolve: (result: unknown) => void;
  reject: (error: unknown) => void;
  sinceMs: number;
}

/** What became of a group's works: those that are committed have their answers already. */
export interface Left {
  /** Somebody else has their shop's turn. */
  busy: Waiting[];
  /** They threw, asked for more than they named, or came after one of their shop that did. */
  alone: Waiting[];
}

const NAMES = Object.keys(NAMED_BY) as HeldName[];

type Held = Record<HeldName, HeldRows>;

type Guard = <T>(work: () => Promise<T>) => Promise<T>;

/** The statements of one transaction, in the words of its database. */
export interface GroupClient {
  read(text: string, values: unknown[]): Promise<Fields[]>;
  /** @returns how many rows it wrote. */
  write(text: string, values: unknown[]): Promise<number>;
  as: RowsAsTable;
}

export interface GroupInput {
  client: GroupClient;
  codec: { keyring: Keyring; unreadable: Unreadable };
  guard: Guard;
}

/** How a database runs groups. */
export interface Groups {
  apartMs: number;
  /** Runs one in a transaction and answers those that are committed. @throws when nothing, or perhaps nothing, of it was committed. */
  runGroup: (group: readonly Waiting[]) => Promise<Left>;
  /** The same for works of one shop, whose turn is waited for. */
  runOfShop: (shop: string, group: readonly Waiting[]) => Promise<Left>;
}

/** What the works came to, once all is committed, and those that did not come to an end. */
export interface Run {
  done: [Waiting, unknown][];
  alone: Waiting[];
}

/**
 * Runs the works in memory on what they named, between one reading and one writing a table, inside the transaction that the client's
 * statements are of.
 */
export async function runMembers({ client, codec, guard }: GroupInput, members: readonly Waiting[]): Promise<Run> {
  const held = await readRows({ client, codec }, members);
  const run = await runAll(held, { members, guard });
  for (const name of NAMES)
    for (const { text, values, rows: expected } of writeStatements(held[name], { ...codec, as: client.as }))
      if ((await client.write(text, values)) !== expected) throw fault(`${name} changed meanwhile`);
  return run;
}

async function readRows({ client, codec }: Omit<GroupInput, "guard">, members: readonly Waiting[]): Promise<Held> {
  const keys = (table: keyof RowKeys): Fields[] =>
    members.flatMap(({ shop, small }) => small.rows[table].map((key) => ({ ...key, shop })));
  const held: Held = {
    shops: holdRows(
      "shops",
      members.map(({ shop }) => ({ shop })),
    ),
    receipts: holdRows("receipts", keys("receipts")),
    locations: holdRows("locations", keys("locations")),
    workItems: holdRows("workItems", keys("workItems")),
  };
  for (const name of NAMES) {
    if (held[name].named.size === 0) continue;
    const { text, values } = readStatement(name, held[name], client.as);
    const { spec } = held[name];
    const rows = await client.read(text, values);
    fillRows(
      name,
      held[name],
      rows.map((row) => fromRow({ spec, ...codec }, row)),
    );
  }
  return held;
}

/** One after another, as they came. What one that fails has changed is taken back; what its shop asks after it waits behind it. */
async function runAll(held: Held, { members, guard }: { members: readonly Waiting[]; guard: Guard }): Promise<Run> {
  const done: Run["done"] = [];
  const alone: Waiting[] = [];
  const failed = new Set<string>();
  for (const waiting of members) {
    const { shop, small } = waiting;
    if (failed.has(shop)) {
      alone.push(waiting);
      continue;
    }
    const undo: Undo = [];
    const calls: Calls = { failure: null };
    try {
      const result = await guard(() => small.work(failedOnce(calls, tablesOf(held, { shop, undo }))));
      if (calls.failure) throw new Error("a call of it failed");
      calls.failure = { error: fault("a small work is over") };
      done.push([waiting, result]);
    } catch {
      // By itself it does what it may not here, or fails again and says why.
      for (const back of undo.reverse()) back();
      failed.add(shop);
      alone.push(waiting);
    }
  }
  return { done, alone };
}

function tablesOf(held: Held, { shop, undo }: { shop: string; undo: Undo }): Transaction {
  const refuse = (what: string) => fault(`a small work asks for ${what}`);
  const other = async () => Promise.reject(refuse("another table"));
  const closed = {
    find: other,
    list: other,
    count: other,
    insert: other,
    insertAll: other,
    update: other,
    delete: other,
  };
  const table = (name: string) =>
    name in held ? heldTable({ name: name as HeldName, held: held[name as HeldName], shop }, { undo, refuse }) : closed;
  const tables = Object.fromEntries(Object.keys(TABLE_SPECS).map((name) => [name, table(name)]));
  return { ...(tables as unknown as Tables), forgetSessions: other, takeTemplate: other };
}

function fault(what: string): AppError {
  return new AppError({ kind: "internal", message: `store: ${what}` });
}
