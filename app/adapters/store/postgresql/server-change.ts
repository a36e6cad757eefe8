import pg from "pg";
import type { DatabaseServer } from "../../../ports.ts";
import { storeFault } from "../faults.ts";
import { connectionConfig } from "./connection.ts";

const STATE = `SELECT budget.server_is_known() AS "isKnown", "owes_reconciles" AS "owesReconciles",
  (extract(epoch FROM clock_timestamp() - "changed_at") * 1000)::float8 AS "changedMsAgo" FROM "budget"."server"`;

interface State {
  isKnown: boolean;
  owesReconciles: boolean;
  changedMsAgo: number | null;
}

/**
 * Whether the server is the one that the app knows. A standby that took over, and a copy that was restored, begin another timeline or are
 * another cluster, and may lack the last commits.
 */
export function createServerWatch({ pool, url }: { pool: Pick<pg.Pool, "query">; url: string }): DatabaseServer {
  const fault = (cause: unknown) => Promise.reject(storeFault("asking which server it is", cause));
  return {
    async read() {
      const { rows } = await pool.query<State>(STATE).catch(fault);
      return rows[0]!;
    },
    async accept(waitMs) {
      // It writes every work item, which may take longer than a statement may otherwise.
      const client = new pg.Client({ ...connectionConfig(url), statement_timeout: 0, query_timeout: 0 });
      client.on("error", () => undefined);
      try {
        await client.connect();
        const asked = 'SELECT budget.accept_server($1) AS "accepted"';
        return (await client.query<{ accepted: boolean }>(asked, [waitMs])).rows[0]!.accepted;
      } catch (error) {
        return await fault(error);
      } finally {
        await client.end().catch(() => undefined);
      }
    },
    async reconcilesAsked() {
      await pool.query('UPDATE "budget"."server" SET "owes_reconciles" = false').catch(fault);
    },
  };
}
