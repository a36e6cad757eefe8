import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { connect, createServer, type AddressInfo, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { TLSSocket } from "node:tls";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { connectionConfig } from "../../../../app/adapters/store/postgresql/connection.ts";
import { freshPostgres, type FreshPostgres } from "./fresh-postgres.ts";
import { ownCertificate } from "./own-certificate.ts";

/** A server that speaks TLS is believed only with a certificate that somebody vouches for; nothing is said to it before that. */

const HOSTS = ["localhost", "127.0.0.1"];

let database: FreshPostgres;
let directory: string;
const closing: (() => void)[] = [];

beforeAll(async () => {
  database = await freshPostgres();
  directory = await mkdtemp(join(tmpdir(), "origen-tls-"));
});
afterAll(async () => {
  for (const close of closing) close();
  await database.remove();
  await rm(directory, { recursive: true });
});

/** The tests' server, which has no TLS, behind one that has. `heard`: what was said to it once the handshake was over. */
async function withTls(names: readonly string[]) {
  const { cert, key } = ownCertificate(names);
  const file = join(directory, `${names.join("-")}.pem`);
  await writeFile(file, cert);
  const heard: Buffer[] = [];
  const to = new URL(database.url);
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    sockets.add(client);
    client.on("error", () => undefined);
    // The client asks whether there is TLS, and waits.
    client.once("data", () => {
      client.write("S");
      const inside = new TLSSocket(client, { isServer: true, cert, key });
      inside.on("error", () => client.destroy());
      inside.once("secure", () => {
        const upstream = connect(Number(to.port), to.hostname);
        upstream.on("error", () => inside.destroy());
        upstream.on("close", () => inside.destroy());
        inside.on("close", () => upstream.destroy());
        inside.on("data", (said) => void heard.push(said));
        inside.pipe(upstream).pipe(inside);
      });
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  closing.push(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  const address = (host: string, mode: string) =>
    `postgresql://postgres:geheim@${host}:${(server.address() as AddressInfo).port}${to.pathname}${mode}`;
  return { address, file, heard };
}

/** "connected", or the code with which the connection failed. */
async function endOf(url: string): Promise<string> {
  const client = new pg.Client(connectionConfig(url));
  client.on("error", () => undefined);
  try {
    await client.connect();
    await client.query("SELECT 1");
    return "connected";
  } catch (error) {
    return String((error as { code?: unknown }).code);
  } finally {
    await client.end().catch(() => undefined);
  }
}

test.each([
  ["by its address", "0.0.0.0", ""],
  ["by an address that asks for TLS", "localhost", "?sslmode=require"],
])("a server on another machine %s is told nothing where nobody vouches for it", async (_title, host, mode) => {
  const { address, heard } = await withTls(HOSTS);
  expect(await endOf(address(host, mode))).toBe("DEPTH_ZERO_SELF_SIGNED_CERT");
  expect(heard).toEqual([]);
});

test.each(HOSTS)("with the certificate that the operator names %s is believed", async (host) => {
  const { address, file } = await withTls(HOSTS);
  expect(await endOf(address(host, `?sslrootcert=${file}`))).toBe("connected");
});

test.each(HOSTS)("one that is made out to another host is not, at %s", async (host) => {
  const { address, file, heard } = await withTls(["db.example.com"]);
  expect(await endOf(address(host, `?sslrootcert=${file}`))).toBe("ERR_TLS_CERT_ALTNAME_INVALID");
  expect(heard).toEqual([]);
});

test("whoever says no-verify has any", async () => {
  const { address } = await withTls(["db.example.com"]);
  expect(await endOf(address("localhost", "?sslmode=no-verify"))).toBe("connected");
});
