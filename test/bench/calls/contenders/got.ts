import { Agent } from "node:http";
import got from "got";
import pThrottle from "p-throttle";
import { HEADERS, mustHold, PATHS, type MakeContender } from "../contender.ts";

/** `got` with its own retries behind `p-throttle`, which is open: nobody asks for a million calls a second. */
export const make: MakeContender = ({ url, what, shops }) => {
  const agent = { http: new Agent({ keepAlive: true }) };
  const client = got.extend({ prefixUrl: url, headers: HEADERS, agent, timeout: { request: 10_000 } });
  const ask = () => client.get(PATHS[what].slice(1)).json();
  const throttled = Array.from({ length: shops }, () => pThrottle({ limit: 1_000_000, interval: 1_000 })(ask));
  return { call: async (shop) => mustHold(what, await throttled[shop]!()) };
};
