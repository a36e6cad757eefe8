import { once } from "node:events";
import { connect } from "node:net";
import type { AddressInfo } from "node:net";
import type { ServerBuild } from "@remix-run/node";
import { isRouteErrorResponse } from "@remix-run/react";
import { createServer } from "../../app/http/serve.ts";
import { createBoundedServer } from "../../app/http/bounded-server.ts";
import type { ServerBounds } from "../../app/http/bounded-server.ts";
import type { WebhookIntake } from "../../app/http/webhook-route.ts";

/** The server's own part, over true HTTP, before a small app: no database and no build, so that it starts in no time. */

export const APP_URL = "https://origen.example";

export interface Logged {
  level: "info" | "warn" | "error";
  fields: Record<string, unknown>;
  message: string;
}

interface Options {
  webhookFrom?: (triggeredAtMs: number, agoMs: number) => void;
  config?: Partial<Parameters<typeof createServer>[0]["config"]>;
  bounds?: Partial<ServerBounds>;
}

export interface Edge {
  port: number;
  logged: Logged[];
  fetch(path: string, init?: RequestInit): Promise<Response>;
  /** Sends these bytes over one connection and reads until it is closed, or until `until` fits what came. */
  raw(text: string, until?: RegExp): Promise<string>;
  stop(): Promise<void>;
}

/**
 * Answers `/echo` with what it was asked, `/unread` without reading the body; `/auth/...` as Shopify's package answers; a webhook whose signature
 * says `wrong` with 401, and one whose topic says `down` with 500.
 */
function smallApp(handleError: ServerBuild["entry"]["module"]["handleError"]): ServerBuild {
  const route = (path: string, module: object) => ({ id: path, parentId: "root", path, module });
  const answer = async ({ request }: { request: Request }) => {
    const body = request.body ? await request.text() : null;
    return Response.json({ url: request.url, host: request.headers.get("host"), length: body?.length ?? null });
  };
  const unread = () => new Response("no", { status: 401 });
  return {
    mode: "production",
    entry: { module: { default: (_request: Request, status: number) => new Response("<p>", { status }), handleError } },
    routes: {
      root: { id: "root", path: "", module: { default: () => null } },
      echo: route("echo", { loader: answer, action: answer }),
      unread: route("unread", { loader: unread, action: unread }),
      api: route("api/origins", { loader: answer, action: answer }),
    },
    assets: { version: "1", url: "", entry: { module: "", imports: [] }, routes: {} },
    publicPath: "/",
    assetsBuildDirectory: "",
    future: {},
    isSpaMode: false,
  } as unknown as ServerBuild;
}

const WEBHOOKS: WebhookIntake = {
  async check({ headers }) {
    if (headers["x-shopify-hmac-sha256"] === "wrong") return "signature";
    const topic = String(headers["x-shopify-topic"] ?? "");
    return { shop: "one.myshopify.com", topic, webhookId: "w", payload: {} };
  },
  receive: async ({ topic }) => (topic === "down" ? Promise.reject(new Error("down")) : "accepted"),
};

const ALL_OK = { store: "ok", migrations: "ok", lease: "ok", worker: "ok" };

export async function startEdge({ config = {}, bounds = {}, webhookFrom }: Options = {}): Promise<Edge> {
  const logged: Logged[] = [];
  const note = (level: Logged["level"]) => (fields: Record<string, unknown>, message: string) =>
    void logged.push({ level, fields, message });
  const server = createBoundedServer(bounds);
  const app = createServer({
    // As app/entry.server.tsx does it.
    build: smallApp((error, { request }) => {
      if (!request.signal.aborted && !(isRouteErrorResponse(error) && error.status < 500))
        note("error")({ error }, "a request failed");
    }),
    vite: null,
    log: { info: note("info"), warn: note("warn"), error: note("error") },
    health: { read: async () => null },
    ready: { read: async () => ({ ready: true, parts: ALL_OK }) },
    withLogFields: (_fields, work) => work(),
    webhooks: WEBHOOKS,
    webhookFrom,
    config: {
      SHOPIFY_APP_URL: APP_URL,
      APP_BRIDGE_URL: "https://cdn.shopify.com/shopifycloud/app-bridge.js",
      HSTS_SUBDOMAINS: false,
      TRUSTED_PROXIES: 0,
      ...config,
    },
  });
  server.on("request", app);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    port,
    logged,
    fetch: (path, init) => fetch(`http://127.0.0.1:${port}${path}`, { redirect: "manual", ...init }),
    async raw(text, until) {
      const socket = connect(port, "127.0.0.1");
      let came = "";
      const done = Promise.withResolvers<void>();
      socket.on("data", (chunk) => {
        came += chunk.toString("latin1");
        if (until?.test(came)) done.resolve();
      });
      socket.on("error", (error) => (came += `[${(error as NodeJS.ErrnoException).code}]`));
      socket.on("close", () => done.resolve());
      socket.write(text, "latin1");
      await done.promise;
      socket.destroy();
      return came;
    },
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
