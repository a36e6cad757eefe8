import { Agent } from "node:http";
import axios from "axios";
import retrying from "axios-retry";
import Bottleneck from "bottleneck";
import { HEADERS, mustHold, PATHS, type MakeContender } from "../contender.ts";

/** `axios` with `axios-retry` behind a Bottleneck of as many places as our own line has here. */
export function makeWith(places: number): MakeContender {
  return ({ url, what, shops }) => {
    const client = axios.create({
      baseURL: url,
      headers: HEADERS,
      httpAgent: new Agent({ keepAlive: true }),
      timeout: 10_000,
    });
    retrying(client, { retries: 3 });
    const limiters = Array.from({ length: shops }, () => new Bottleneck({ maxConcurrent: places }));
    const ask = () => client.get<unknown>(PATHS[what]);
    return { call: async (shop) => mustHold(what, (await limiters[shop]!.schedule(ask)).data) };
  };
}
