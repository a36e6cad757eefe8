import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { migratePostgres } from "../app/adapters/store/postgresql/migrate.ts";
import { onServer, startEmbedded, withDatabase } from "../scripts/postgres-server.ts";

/**
 * One PostgreSQL server for a whole run of the tests, started when the first test asks for it: the one at TEST_POSTGRES_URL, else one
 * of the binaries that came with `npm ci`. Where there is neither, the tests that ask fail. Workers ask over HTTP, at an address that
 * they find in the environment, and get the server's address and the name of a migrated database to copy.
 */

const MIGRATIONS = new URL("../prisma/postgresql/migrations/", import.meta.url);

export interface TestPostgres {
  url: string;
  template: string;
}

interface Started extends TestPostgres {
  stop(): Promise<void>;
}

export default async function setup(): Promise<(() => Promise<void>) | undefined> {
  // Each project of a run calls this.
  if (process.env.TEST_POSTGRES_ASK) return undefined;
  let started: Promise<Started> | null = null;
  const server = createServer((_request, response) => {
    started ??= start();
    started.then(
      ({ url, template }) => response.end(JSON.stringify({ url, template } satisfies TestPostgres)),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  process.env.TEST_POSTGRES_ASK = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return async () => {
    delete process.env.TEST_POSTGRES_ASK;
    server.close();
    server.closeAllConnections();
    await started?.then((running) => running.stop()).catch(() => undefined);
  };
}

async function start(): Promise<Started> {
  const beganMs = performance.now();
  const given = process.env.TEST_POSTGRES_URL;
  const server = given ? { url: given, stop: async () => undefined } : await startEmbedded();
  const template = `origen_template_${process.pid}`;
  await onServer(server.url, `DROP DATABASE IF EXISTS ${template}`, `CREATE DATABASE ${template} TEMPLATE template0`);
  await migratePostgres({ url: withDatabase(server.url, template), folder: MIGRATIONS });
  console.log(`PostgreSQL for the tests was ready after ${Math.round(performance.now() - beganMs)} ms`);
  return {
    url: server.url,
    template,
    async stop() {
      if (given) await onServer(server.url, `DROP DATABASE IF EXISTS ${template} WITH (FORCE)`);
      await server.stop();
    },
  };
}
