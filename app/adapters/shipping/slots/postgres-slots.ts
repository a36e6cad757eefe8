import { atMostAgoMs, momentOf, type Moment } from "../../../domain/moment.ts";
import { AppError } from "../../../domain/errors.ts";
import { PRIORITIES, type Clock, type Log, type Random } from "../../../ports.ts";
import { superseded } from "../faults.ts";
import { createServerClock } from "./server-clock.ts";
import { restUntil } from "./rest-until.ts";
import type { SlotsDatabase } from "./slots-database.ts";
import { WINDOW_MS, type Ask, type Keys, type Permit, type Slots } from "./slots.ts";
import { createTurns, type Batch, type Give } from "./turns.ts";
import { createSharedPauses } from "./shared-pauses.ts";

/**
 * The slots of all processes of one PostgreSQL database (docs/decisions/0051-slots-in-postgresql.md). A slot taken is held for as long as
 * its holder's request may need at most, by the server's clock, and is given back sooner. So a process that is killed costs its shop
 * that time and nothing else. What this process measures are durations, by its own clocks.
 */

/** From the take to the bytes. */
const SENDS_WITHIN_MS = 5_000;
/** Within this a slot is taken before it is free, so that the way to the database costs no slot's time. */
const AHEAD_MS = 100;
/**
 * How often to ask for a slot that is in use elsewhere: less often where much is asked for, but always within the time for which a slot
 * rests, so that the moment it is free is known before.
 */
const POLL_MS = 200;
const LONGEST_POLL_MS = 900;
const MANY_ASKS = 100;
/** Weight of the newest batch in the moving average. */
const NEWEST = 0.1;
const FORGET_EVERY_MS = 10 * 60_000;
const IDLE_MS = 60 * 60_000;
/** What is not given back by then is free when its time is over. */
const CLOSES_WITHIN_MS = 2_000;
const CLOSING_LOOKS_MS = 5;

/** How long a slot taken is held unless it is given back sooner: whatever its holder may have sent has arrived by then. */
export function heldForMs({ graceMs, totalTimeoutMs }: { graceMs: number; totalTimeoutMs: number }): number {
  return SENDS_WITHIN_MS + totalTimeoutMs + graceMs + WINDOW_MS;
}

export interface PostgresSlotsOptions {
  database: SlotsDatabase;
  clock: Clock;
  random: Random;
  log: Log;
  /** How long a request may still arrive after its exchange broke off. */
  graceMs: number;
  /** The longest time of one request. */
  totalTimeoutMs: number;
  /** The store has another version of this connection than a call carried. */
  outdated?: (connectionId: string) => void;
}

interface Row {
  now_ms: number;
  superseded: boolean;
  wait_ms: number | null;
  after_ms: number | null;
  shop_place: number;
  shop_token: string;
  client_place: number;
  client_token: string;
  opens_in_ms: number;
  shop_opens_in_ms: number;
  client_opens_in_ms: number;
}

interface Asked extends Keys {
  ask: Ask;
  who: number;
}

/** A row, and when its batch was sent. */
type Answer = Row & { sent: Moment };

export function createPostgresSlots(options: PostgresSlotsOptions): Slots {
  const { database, clock, random, log, outdated } = options;
  const holdMs = heldForMs(options);
  const pauses = createSharedPauses({ database, clock, random });
  const serverClock = createServerClock();
  const flowing = new Set<string>();
  const permits = new Set<Permit>();
  const numbers = new WeakMap<Ask, number>();
  let lastNumber = Math.floor(random.next() * 2 ** 52);

  const turns = createTurns<Asked, Answer>({ clock, run, forgetAfterMs: holdMs, failed: tell });
  let toldMs = -Infinity;

  /** Once in ten seconds: a database that is gone fails four times a second. */
  function tell(error: unknown): void {
    if (clock.monotonicMs() - toldMs < 10_000) return;
    toldMs = clock.monotonicMs();
    log.error({ error }, "slots cannot be taken: nothing is sent for now");
  }

  let asksABatch = 0;

  async function run({ gives, asks }: Batch<Asked>): Promise<Answer[]> {
    const sent = momentOf(clock);
    asksABatch += NEWEST * (asks.length - asksABatch);
    const pollMs = Math.min(LONGEST_POLL_MS, Math.round(POLL_MS * Math.max(1, asksABatch / MANY_ASKS)));
    const order = asks.map((_, index) => index).sort((a, b) => urgency(asks[a]!, asks[b]!));
    const inOrder = order.map((index) => asks[index]!);
    const rows = await database.turn<Row>(TURN, [
      holdMs,
      AHEAD_MS,
      pollMs,
      gives.map(({ key }) => key),
      gives.map(({ place }) => place),
      gives.map(({ token }) => token),
      gives.map(({ freeAtMs }) => Math.ceil(Math.max(0, freeAtMs - sent.monotonicMs))),
      gives.map(({ flows }) => flows),
      inOrder.map(({ shop }) => shop),
      inOrder.map(({ client }) => client),
      inOrder.map(({ ask }) => PRIORITIES.indexOf(ask.priority)),
      inOrder.map(({ ask }) => Math.round(sent.monotonicMs - ask.sinceMs)),
      inOrder.map(({ who }) => who),
      inOrder.map(({ ask }) => ask.connection?.id ?? null),
      inOrder.map(({ ask }) => ask.connection?.version ?? null),
    ]);
    const [first] = rows;
    const at = { sentMs: sent.monotonicMs, answeredMs: clock.monotonicMs() };
    if (first && serverClock.hasJumped({ nowMs: first.now_ms, ...at })) {
      // What was just taken is held as long as everybody waits.
      await database.query(CLOSE, [holdMs]);
      throw new AppError({ kind: "internal", message: "the clock of the database's server was set ahead" });
    }
    const answers: Answer[] = [];
    rows.forEach((row, index) => (answers[order[index]!] = { ...row, sent }));
    return answers;
  }

  function numberOf(ask: Ask): number {
    const number = numbers.get(ask) ?? (lastNumber += 1);
    numbers.set(ask, number);
    return number;
  }

  function permitOf({ shop, client }: Keys, row: Answer): Permit {
    let takenAt = row.sent;
    let usableMs = SENDS_WITHIN_MS + row.after_ms!;
    const keys = [shop, client];
    const places = [row.shop_place, row.client_place];
    const tokens = [row.shop_token, row.client_token];
    const permit: Permit = {
      isFresh: () => atMostAgoMs(clock, takenAt) <= usableMs,
      async renew() {
        const from = momentOf(clock);
        const kept = await database.query<{ kept: boolean }>(RENEW, [keys, places, tokens, holdMs]).catch(tell);
        usableMs = kept?.[0]?.kept ? SENDS_WITHIN_MS : -1;
        takenAt = from;
        return usableMs > 0;
      },
      async give(freeAtMs) {
        permits.delete(permit);
        const given = keys.map((key, index): Give => {
          const flows = flowing.delete(key);
          return { key, place: places[index]!, token: tokens[index]!, freeAtMs, flows };
        });
        turns.give(given);
        await restUntil(clock, freeAtMs - AHEAD_MS);
      },
    };
    permits.add(permit);
    return permit;
  }

  const forget = () => {
    database.query(FORGET, [IDLE_MS]).catch(tell);
    cancelForget = clock.after(FORGET_EVERY_MS, forget);
  };
  let cancelForget = clock.after(FORGET_EVERY_MS * random.next(), forget);

  return {
    async take(ask) {
      const keys = namesOf(ask);
      const row = await turns.ask({ ...keys, ask, who: numberOf(ask) });
      if (!row) return { waitMs: POLL_MS };
      if (row.superseded) {
        outdated?.(ask.connection!.id);
        throw superseded(ask.connection!.id);
      }
      pauses.learn("", row.opens_in_ms);
      pauses.learn(keys.shop, row.shop_opens_in_ms);
      pauses.learn(keys.client, row.client_opens_in_ms);
      if (row.wait_ms !== null) return { waitMs: row.wait_ms };
      const permit = permitOf(keys, row);
      await restUntil(clock, clock.monotonicMs() + row.after_ms!);
      return permit;
    },
    pause: (keys, said) => pauses.add(Object.values(namesOf(keys)), said),
    flowing(keys) {
      for (const key of Object.values(namesOf(keys))) flowing.add(key);
    },
    opensAtMs: ({ shop, client }) =>
      pauses.untilMs([
        "",
        ...(shop === undefined ? [] : [`shop ${shop}`]),
        ...(client === undefined ? [] : [`client ${client}`]),
      ]),
    async close() {
      cancelForget();
      const endMs = clock.monotonicMs() + CLOSES_WITHIN_MS;
      while (!(permits.size === 0 && turns.isIdle()) && clock.monotonicMs() < endMs)
        await clock.sleep(CLOSING_LOOKS_MS);
      await database.close();
    },
  };
}

const TURN = "SELECT * FROM budget.turn($1,$2,$3,$4,$5,$6,$7,$8,$9,$10,$11,$12,$13,$14,$15)";
const RENEW = 'SELECT budget.renew($1, $2, $3, $4) AS "kept"';
const CLOSE = "SELECT budget.close_for($1)";
const FORGET = "SELECT budget.forget_idle($1)";

function namesOf({ shop, client }: Keys): Keys {
  return { shop: `shop ${shop}`, client: `client ${client}` };
}

/** The most urgent first, then who has waited longest. */
function urgency({ ask: a }: Asked, { ask: b }: Asked): number {
  return PRIORITIES.indexOf(a.priority) - PRIORITIES.indexOf(b.priority) || a.sinceMs - b.sinceMs;
}
