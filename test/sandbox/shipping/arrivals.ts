/** Arrivals of each client in sliding seconds. A second is (t − 1000 ms, t]: two arrivals 1000 ms apart share none. */
const SECOND_MS = 1000;
/** An arrival may become known late (a token call names its client in its body), so older ones are kept a while. */
const KEPT_MS = 8000;

interface Arrival {
  atMs: number;
  /** Arrivals in the second that ends with this one, itself included. */
  inSecond: number;
}

interface Client {
  recent: Arrival[];
  /** Index of the first arrival in the second that ends with the newest. */
  head: number;
  total: number;
  most: number;
  over: number;
}

export interface ArrivalCount {
  total: number;
  /** The most arrivals in any sliding second. */
  mostInSecond: number;
  /** Sliding seconds, each ended by an arrival, that held more than the limit. */
  secondsOver: number;
}

interface Timed {
  /** Monotonic, in ms. */
  atMs: number;
  /** Arrivals a second may hold. */
  limit: number;
}

export interface Arrivals {
  /** Counts an arrival; returns the arrivals in the second that it ends. */
  arrive(client: string, arrival: Timed): number;
  counts(): Record<string, ArrivalCount>;
}

export function createArrivals(): Arrivals {
  const clients = new Map<string, Client>();

  return {
    arrive(name, timed) {
      let client = clients.get(name);
      if (!client) clients.set(name, (client = { recent: [], head: 0, total: 0, most: 0, over: 0 }));
      client.total++;
      const newest = client.recent.at(-1);
      return newest && newest.atMs > timed.atMs ? insert(client, timed) : append(client, timed);
    },
    counts() {
      const counts: Record<string, ArrivalCount> = {};
      for (const [name, { total, most, over }] of clients) {
        counts[name] = { total, mostInSecond: most, secondsOver: over };
      }
      return counts;
    },
  };
}

function append(client: Client, { atMs, limit }: Timed): number {
  const { recent } = client;
  while (client.head < recent.length && recent[client.head]!.atMs <= atMs - SECOND_MS) client.head++;
  const arrival = { atMs, inSecond: recent.length - client.head + 1 };
  recent.push(arrival);
  note(client, { ...arrival, limit, grewBy: arrival.inSecond });
  if (client.head > 64) forget(client, atMs - KEPT_MS);
  return arrival.inSecond;
}

/** An arrival older than the newest known: the seconds that end after it and reach back to it grow by one. */
function insert(client: Client, { atMs, limit }: Timed): number {
  const { recent } = client;
  let at = recent.length;
  while (at > 0 && recent[at - 1]!.atMs > atMs) at--;
  let first = at;
  while (first > 0 && recent[first - 1]!.atMs > atMs - SECOND_MS) first--;
  const arrival = { atMs, inSecond: at - first + 1 };
  recent.splice(at, 0, arrival);
  if (atMs <= recent.at(-1)!.atMs - SECOND_MS) client.head++;
  note(client, { ...arrival, limit, grewBy: arrival.inSecond });
  for (let later = at + 1; later < recent.length && recent[later]!.atMs - SECOND_MS < atMs; later++) {
    recent[later]!.inSecond++;
    note(client, { ...recent[later]!, limit, grewBy: 1 });
  }
  return arrival.inSecond;
}

/** A second counts as over once: when it grows past the limit. */
function note(client: Client, second: { inSecond: number; grewBy: number; limit: number }): void {
  client.most = Math.max(client.most, second.inSecond);
  if (second.inSecond > second.limit && second.inSecond - second.grewBy <= second.limit) client.over++;
}

function forget(client: Client, beforeMs: number): void {
  let old = 0;
  while (old < client.head && client.recent[old]!.atMs < beforeMs) old++;
  client.recent.splice(0, old);
  client.head -= old;
}
