// Stands before the app's processes, gives each the next request, and passes everything on as it is, but for one thing: where the app's
// own policy lets Shopify's admin frame a page, the sandbox's admin may too.
import { createServer, request as httpRequest } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import { connect } from "node:net";
import type { AddressInfo, Socket } from "node:net";

export interface ProxyOptions {
  port?: number;
  /** The app's port on 127.0.0.1 for the next request. */
  upstreamPort: () => number;
  /** The admin's origin, to be let into `frame-ancestors`. */
  adminOrigin: () => string;
}

export interface RunningProxy {
  url: string;
  stop(): Promise<void>;
}

export async function startProxy({ port = 0, upstreamPort, adminOrigin }: ProxyOptions): Promise<RunningProxy> {
  const server = createServer((request, response) => pass(request, response, upstreamPort(), adminOrigin()));
  const tunnels = new Set<Socket>();
  server.on("upgrade", (request: IncomingMessage, socket: Socket, head: Buffer) =>
    tunnel({ request, socket, head, upstreamPort: upstreamPort(), tunnels }),
  );
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: async () => {
      for (const socket of tunnels) socket.destroy();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function pass(request: IncomingMessage, response: ServerResponse, port: number, adminOrigin: string): void {
  const upstream = httpRequest({
    host: "127.0.0.1",
    port,
    method: request.method,
    path: request.url,
    headers: request.rawHeaders as unknown as Record<string, string>,
    setHost: false,
    // A connection of its own: one that was kept may close just as a request goes out over it, and a form would get the proxy's 502.
    agent: false,
  });
  upstream.on("response", (answer) => {
    response.sendDate = false;
    response.writeHead(answer.statusCode ?? 502, answer.statusMessage, withAdmin(answer.rawHeaders, adminOrigin));
    answer.pipe(response);
    answer.on("error", () => response.destroy());
  });
  upstream.on("error", () => {
    if (response.headersSent) response.destroy();
    else response.writeHead(502, { "Content-Type": "text/plain" }).end("The app does not answer.");
  });
  response.on("close", () => upstream.destroy());
  request.pipe(upstream);
}

/** The headers of an answer, in their order and spelling, with the admin let into the policy of who may frame the page. */
export function withAdmin(rawHeaders: readonly string[], adminOrigin: string): string[] {
  return rawHeaders.map((text, index) => {
    const name = index % 2 === 1 ? rawHeaders[index - 1]?.toLowerCase() : undefined;
    if (name !== "content-security-policy") return text;
    return text.replace(/(frame-ancestors)([^;]*)/i, (all, directive: string, sources: string) =>
      sources.includes("'none'") ? all : `${directive}${sources.trimEnd()} ${adminOrigin}`,
    );
  });
}

interface Tunnel {
  request: IncomingMessage;
  socket: Socket;
  head: Buffer;
  upstreamPort: number;
  tunnels: Set<Socket>;
}

/** A WebSocket, which hot reload needs. */
function tunnel({ request, socket, head, upstreamPort, tunnels }: Tunnel): void {
  const upstream = connect(upstreamPort, "127.0.0.1", () => {
    const lines = [`${request.method} ${request.url} HTTP/1.1`];
    for (let index = 0; index < request.rawHeaders.length; index += 2) {
      lines.push(`${request.rawHeaders[index]}: ${request.rawHeaders[index + 1]}`);
    }
    upstream.write(`${lines.join("\r\n")}\r\n\r\n`);
    upstream.write(head);
    upstream.pipe(socket).pipe(upstream);
  });
  tunnels.add(socket);
  socket.on("close", () => {
    tunnels.delete(socket);
    upstream.destroy();
  });
  socket.on("error", () => upstream.destroy());
  upstream.on("error", () => socket.destroy());
}
