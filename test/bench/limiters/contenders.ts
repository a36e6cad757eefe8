import Bottleneck from "bottleneck";
import { RateLimiter } from "limiter";
import PQueue from "p-queue";
import pThrottle from "p-throttle";
import { RateLimiterMemory, RateLimiterQueue } from "rate-limiter-flexible";
import { createBottleneckLine } from "../../../app/adapters/shipping/budget.ts";
import { make as bareUndici } from "../calls/contenders/bare-undici.ts";
import { makeWith } from "../calls/contenders/ours.ts";

/** Each library set to two calls a second, as its own documentation says, before the same bare client; and our client, as the app has it. */

/** Asks once, when its limiter lets it. */
export type Limited = () => Promise<void>;

export interface LimiterContender {
  /** Begins the paths of its requests. */
  key: string;
  words: string;
  make: (url: string) => Limited;
}

type Ask = () => Promise<void>;

const ours: LimiterContender = {
  key: "ours",
  words: "ours",
  make(url) {
    const client = makeWith(createBottleneckLine())({ url: `${url}/ours`, what: "template", shops: 1 });
    return () => client.call(0);
  },
};

function peer(key: string, words: string, limit: (ask: Ask) => Limited): LimiterContender {
  const make = (url: string) => {
    const client = bareUndici({ url, what: "template", shops: 1, prefix: `/${key}` });
    return limit(() => client.call(0));
  };
  return { key, words, make };
}

export const LIMITERS: LimiterContender[] = [
  ours,
  peer("bottleneck-min-time", "Bottleneck, minTime 500", (ask) => {
    const limiter = new Bottleneck({ minTime: 500 });
    return () => limiter.schedule(ask);
  }),
  peer("bottleneck-reservoir", "Bottleneck, reservoir", (ask) => {
    const limiter = new Bottleneck({ reservoir: 2, reservoirRefreshAmount: 2, reservoirRefreshInterval: 1_000 });
    return () => limiter.schedule(ask);
  }),
  peer("p-throttle", "p-throttle, strict", (ask) => pThrottle({ limit: 2, interval: 1_000, strict: true })(ask)),
  peer("p-queue", "p-queue, interval", (ask) => {
    const queue = new PQueue({ interval: 1_000, intervalCap: 2 });
    return () => queue.add(ask);
  }),
  peer("p-queue-strict", "p-queue, interval, strict", (ask) => {
    const queue = new PQueue({ interval: 1_000, intervalCap: 2, strict: true });
    return () => queue.add(ask);
  }),
  peer("limiter", "limiter", (ask) => {
    const limiter = new RateLimiter({ tokensPerInterval: 2, interval: "second" });
    return async () => {
      await limiter.removeTokens(1);
      await ask();
    };
  }),
  peer("rate-limiter-flexible", "rate-limiter-flexible", (ask) => {
    const limiter = new RateLimiterQueue(new RateLimiterMemory({ points: 2, duration: 1 }));
    return async () => {
      await limiter.removeTokens(1);
      await ask();
    };
  }),
];
