import { Agent, createServer, get } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { drain } from "../../app/http/drain.ts";

test("lets a request under way end, and does not wait for its connection to be given up", async () => {
  const answering = Promise.withResolvers<void>();
  const arrived = Promise.withResolvers<void>();
  const server = createServer((_request, response) => {
    arrived.resolve();
    void answering.promise.then(() => response.end("whole"));
  });
  // Longer than the test may take: only an answer that is let through and a connection that is closed end it.
  server.keepAliveTimeout = 120_000;
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const agent = new Agent({ keepAlive: true });
  const text = new Promise<string>((resolve, reject) => {
    get({ port, agent, host: "127.0.0.1" }, (response) => {
      let body = "";
      response.on("data", (chunk: Buffer) => (body += chunk.toString()));
      response.on("end", () => resolve(body));
    }).on("error", reject);
  });
  await arrived.promise;
  const drained = drain(server);
  answering.resolve();
  expect(await text).toBe("whole");
  await drained;
  agent.destroy();
});
