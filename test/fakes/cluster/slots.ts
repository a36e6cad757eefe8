import type { SlotsDatabase } from "../../../app/adapters/shipping/slots/slots-database.ts";
import type { Clock } from "../../../app/ports.ts";
import { createSecrets } from "./secrets.ts";

/**
 * The functions of the schema `budget` in memory, by the names by which the app calls them: what the database promises to all processes
 * (`prisma/postgresql/migrations/20261122225900_budget`). Each call is one transaction. Times are the database's own.
 */
export interface MemorySlots {
  /** For one process. */
  open(): SlotsDatabase;
  /** The server crashes, which empties the tables: nobody has a slot for as long as anything sent before may still arrive. */
  crash(): void;
}

interface Head {
  who: number;
  rank: number;
  sinceMs: number;
  untilMs: number;
}

/** A shop, or a client id in its environment. */
interface Key {
  freeMs: [number, number];
  token: [number, number];
  head: Head | null;
  pausedAtMs: number;
  pausedUntilMs: number;
  strikes: number;
}

interface Asked {
  shop: string;
  client: string;
  rank: number;
  waitedMs: number;
  who: number;
  connection: string | null;
  version: number | null;
}

interface Give {
  key: string;
  place: 0 | 1;
  token: string;
  restsMs: number;
  flows: boolean;
}

type Row = Record<string, unknown>;
type Call = (...values: never[]) => Row[];

/** What each function is given, in its order. */
type TurnValues = [
  holdMs: number,
  aheadMs: number,
  pollMs: number,
  giveKeys: string[],
  givePlaces: (0 | 1)[],
  giveTokens: string[],
  giveRests: number[],
  giveFlows: boolean[],
  shops: string[],
  clients: string[],
  ranks: number[],
  waited: number[],
  who: number[],
  connections: (string | null)[],
  versions: (number | null)[],
];
type PauseValues = [names: string[], saidMs: number | null, sentMsAgo: number, firstMs: number, longestMs: number];

const REMEMBERED_MS = 600_000;
const NAME = /budget\.(\w+)\(/;

export function createMemorySlots(input: {
  clock: Pick<Clock, "monotonicMs">;
  /** Whether the store has this version of the connection. */
  isCurrent: (connection: string, version: number) => boolean;
}): MemorySlots {
  const { isCurrent } = input;
  const nowMs = () => input.clock.monotonicMs();
  const keys = new Map<string, Key>();
  let opensAtMs: number | null = -Infinity;
  let lastToken = 0;

  function keyOf(name: string): Key {
    const never = -Infinity;
    const fresh = (): Key => ({
      freeMs: [never, never],
      token: [(lastToken += 1), (lastToken += 1)],
      head: null,
      pausedAtMs: never,
      pausedUntilMs: never,
      strikes: 0,
    });
    if (!keys.has(name)) keys.set(name, fresh());
    return keys.get(name)!;
  }

  const opens = (holdMs: number) => (opensAtMs ??= nowMs() + holdMs);
  const secrets = createSecrets({ nowMs, opensAtMs: opens });
  const leftMs = (untilMs: number) => Math.ceil(Math.max(0, untilMs - nowMs()));

  function give({ key, place, token, restsMs, flows }: Give): void {
    const row = keyOf(key);
    if (String(row.token[place]) !== token) return;
    row.freeMs[place] = nowMs() + restsMs;
    if (flows && row.pausedUntilMs <= nowMs()) row.strikes = 0;
  }

  /** Whether somebody who stands at the key's head goes before. */
  function isBehind({ head }: Key, { who, rank, waitedMs }: Asked): boolean {
    if (!head || head.untilMs <= nowMs() || head.who === who) return false;
    return head.rank < rank || (head.rank === rank && head.sinceMs < nowMs() - waitedMs);
  }

  function take(asked: Asked, limits: { holdMs: number; aheadMs: number; pollMs: number }): Row {
    const { holdMs, aheadMs, pollMs } = limits;
    const [shop, client] = [keyOf(asked.shop), keyOf(asked.client)];
    const answer = {
      now_ms: nowMs(),
      superseded: asked.connection !== null && !isCurrent(asked.connection, asked.version!),
      wait_ms: null,
      after_ms: null,
      opens_in_ms: leftMs(opens(holdMs)),
      shop_opens_in_ms: leftMs(shop.pausedUntilMs),
      client_opens_in_ms: leftMs(client.pausedUntilMs),
    };
    if (answer.superseded) return answer;
    const closedMs = Math.max(answer.opens_in_ms, answer.shop_opens_in_ms, answer.client_opens_in_ms);
    if (closedMs > 0) return { ...answer, wait_ms: closedMs };
    const places = [shop, client].map((key) => {
      const behind = isBehind(key, asked);
      // Behind a head, only the slot that the head does not need.
      const place: 0 | 1 = key.freeMs[0] <= key.freeMs[1] === behind ? 1 : 0;
      return { key, behind, place };
    });
    const atMs = Math.max(nowMs(), ...places.map(({ key, place }) => key.freeMs[place]));
    if (atMs > nowMs() + aheadMs) {
      const waitMs = Math.max(2, Math.min(pollMs, Math.floor(atMs - nowMs() - aheadMs / 2)));
      const { who, rank, waitedMs } = asked;
      const head = { who, rank, sinceMs: nowMs() - waitedMs, untilMs: nowMs() + waitMs + pollMs };
      for (const { key, behind } of places) if (!behind) key.head = head;
      return { ...answer, wait_ms: waitMs };
    }
    for (const { key, place } of places) {
      key.freeMs[place] = atMs + holdMs;
      key.token[place] += 1;
      if (key.head?.who === asked.who) key.head = null;
    }
    const [ofShop, ofClient] = places.map(({ key, place }) => ({ place, token: String(key.token[place]) }));
    return {
      ...answer,
      after_ms: Math.ceil(atMs - nowMs()),
      shop_place: ofShop!.place,
      shop_token: ofShop!.token,
      client_place: ofClient!.place,
      client_token: ofClient!.token,
    };
  }

  function pause(name: string, said: { saidMs: number | null; sentMsAgo: number; firstMs: number; longestMs: number }) {
    const key = keyOf(name);
    const { saidMs, sentMsAgo, firstMs, longestMs } = said;
    if (key.pausedUntilMs < nowMs() - REMEMBERED_MS) [key.strikes, key.pausedAtMs] = [0, -Infinity];
    if (!(key.strikes > 0 && nowMs() - sentMsAgo < key.pausedAtMs))
      [key.strikes, key.pausedAtMs] = [key.strikes + 1, nowMs()];
    const forMs = saidMs ?? Math.min(firstMs * 2 ** Math.min(key.strikes - 1, 20), longestMs);
    key.pausedUntilMs = Math.max(key.pausedUntilMs, nowMs() + forMs);
    return { key: name, opens_in_ms: leftMs(key.pausedUntilMs) };
  }

  const isHolder = (name: string, place: 0 | 1, token: string) => String(keyOf(name).token[place]) === token;

  const calls: Record<string, Call> = {
    turn: (...values: TurnValues) => {
      const [
        holdMs,
        aheadMs,
        pollMs,
        giveKeys,
        givePlaces,
        giveTokens,
        giveRests,
        giveFlows,
        shops,
        clients,
        ranks,
        waited,
        who,
        connections,
        versions,
      ] = values;
      giveKeys.forEach((key, index) =>
        give({
          key,
          place: givePlaces[index]!,
          token: giveTokens[index]!,
          restsMs: giveRests[index]!,
          flows: giveFlows[index]!,
        }),
      );
      return shops.map((shop, index) => {
        const asked: Asked = {
          shop,
          client: clients[index]!,
          rank: ranks[index]!,
          waitedMs: waited[index]!,
          who: who[index]!,
          connection: connections[index]!,
          version: versions[index]!,
        };
        return take(asked, { holdMs, aheadMs, pollMs });
      });
    },
    renew: (names: string[], places: (0 | 1)[], tokens: string[], holdMs: number) => {
      const kept = names.every((name, index) => isHolder(name, places[index]!, tokens[index]!));
      if (kept) names.forEach((name, index) => (keyOf(name).freeMs[places[index]!] = nowMs() + holdMs));
      return [{ kept }];
    },
    close_for: (holdMs: number) => {
      opensAtMs = nowMs() + holdMs;
      return [];
    },
    forget_idle: () => [],
    pause: (...[names, saidMs, sentMsAgo, firstMs, longestMs]: PauseValues) =>
      names.map((name) => pause(name, { saidMs, sentMsAgo, firstMs, longestMs })),
    ...secrets.calls,
  };

  const query = async <R>(text: string, values: unknown[]): Promise<R[]> => {
    const name = NAME.exec(text)?.[1];
    const call = name === undefined ? undefined : calls[name];
    if (!call) throw new Error(`the budget in memory has no function for: ${text}`);
    return call(...(values as never[])) as R[];
  };

  return {
    open: () => ({ query, turn: query, close: async () => undefined }),
    crash() {
      keys.clear();
      secrets.forget();
      opensAtMs = null;
    },
  };
}
