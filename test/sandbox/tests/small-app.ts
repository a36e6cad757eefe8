import { createServer } from "node:http";
import type { IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";

export interface Received {
  method: string;
  url: URL;
  headers: IncomingMessage["headers"];
  body: string;
}

export interface SmallApp {
  url: string;
  received: Received[];
  /** What it answers; by default 200 and nothing. */
  answer: (request: Received) => { status: number; headers?: Record<string, string>; body?: string };
  stop(): Promise<void>;
}

/** An app of a few lines, to see what the sandbox sends without the product. */
export async function startSmallApp(): Promise<SmallApp> {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const one: Received = {
        method: request.method ?? "",
        url: new URL(request.url ?? "/", app.url),
        headers: request.headers,
        body: Buffer.concat(chunks).toString("utf8"),
      };
      received.push(one);
      const { status, headers = {}, body = "" } = app.answer(one);
      response.writeHead(status, headers).end(body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const app: SmallApp = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    answer: () => ({ status: 200 }),
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return app;
}
