import { randomUUID } from "node:crypto";
import type pg from "pg";
import { openSession } from "./connection.ts";

export interface Bell {
  /** Tells all other processes that something is due. */
  ring(): void;
  /** `call` is called when another process has rung, and when rings may have been missed. */
  onRing(call: () => void): void;
  close(): Promise<void>;
}

const nobody = (): void => undefined;

const CHANNEL = "origen_work";
/** A process rings no more often: a notice in every commit would cost a third of the commits. */
const APART_MS = 50;
const AGAIN_MS = 1_000;
/** A connection that says nothing may be cut without a word. */
const BEAT_EVERY_MS = 15_000;
const BEAT_WITHIN_MS = 5_000;

/**
 * Wakes the workers of all processes by NOTIFY. Notices may be lost, as while the connection is made anew: whoever listens polls too.
 * `url` leads to the server itself, for a pooler that hands out another session for each transaction passes no notices on.
 */
export function createBell({ url, pool }: { url: string; pool: Pick<pg.Pool, "query"> }): Bell {
  let call: () => void = nobody;
  let client: pg.Client | null = null;
  const me = randomUUID();
  let closed = false;
  let again: NodeJS.Timeout | null = null;
  let rungMs = -Infinity;
  let late: NodeJS.Timeout | null = null;

  const send = () => {
    late = null;
    rungMs = performance.now();
    // Lost with the connection at worst: the others look by themselves after a while.
    pool.query("SELECT pg_notify($1, $2)", [CHANNEL, me]).catch(() => undefined);
  };

  const lose = (own: pg.Client | null) => {
    if (client !== own && client !== null) return;
    client = null;
    void own?.end().catch(() => undefined);
    if (!closed) again ??= setTimeout(() => void listen(), AGAIN_MS).unref();
  };

  const listen = async (): Promise<void> => {
    again = null;
    let own: pg.Client | null = null;
    try {
      own = await openSession(url, "origen listens");
      own.on("error", () => lose(own));
      own.on("end", () => lose(own));
      own.on("notification", ({ payload }) => payload !== me && call());
      await own.query(`LISTEN ${CHANNEL}`);
      if (closed) return void (await own.end().catch(() => undefined));
      client = own;
      // Whatever rang meanwhile was not heard.
      call();
    } catch {
      lose(own);
    }
  };

  const beat = setInterval(() => {
    const asked = client;
    asked
      ?.query({ text: "SELECT 1", query_timeout: BEAT_WITHIN_MS } as pg.QueryConfig)
      .catch(() => void asked.end().catch(() => undefined));
  }, BEAT_EVERY_MS);
  beat.unref();

  return {
    ring() {
      const earlyMs = rungMs + APART_MS - performance.now();
      if (earlyMs <= 0) send();
      else late ??= setTimeout(send, earlyMs);
    },
    onRing(heard) {
      const isFirst = call === nobody;
      call = heard;
      if (isFirst && !closed) void listen();
    },
    async close() {
      closed = true;
      clearInterval(beat);
      if (again) clearTimeout(again);
      if (late) {
        clearTimeout(late);
        send();
      }
      await client?.end().catch(() => undefined);
    },
  };
}
