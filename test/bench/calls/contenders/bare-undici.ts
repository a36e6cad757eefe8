import { Pool } from "undici";
import { HEADERS, mustHold, PATHS, type MakeContender } from "../contender.ts";

/** Nothing but undici and `JSON.parse`: no limit, no retry, no token, no deadline of the whole. */
export const make: MakeContender = ({ url, what, prefix = "" }) => {
  const pool = new Pool(url, { connections: null, pipelining: 1 });
  return {
    async call() {
      const { body } = await pool.request({ method: "GET", path: prefix + PATHS[what], headers: HEADERS });
      mustHold(what, await body.json());
    },
  };
};
