import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { ONE, PAGE, TOKENS } from "../answers.ts";

/** A bare server: nothing is counted or checked. Prints its address. */

const server = createServer((request, response) => {
  const body = request.method === "POST" ? TOKENS : request.url!.includes("?") ? PAGE : ONE;
  request.resume();
  response.writeHead(200, { "content-type": "application/json; charset=utf-8", "content-length": body.length });
  response.end(body);
});
server.listen(0, "127.0.0.1", () => console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));
