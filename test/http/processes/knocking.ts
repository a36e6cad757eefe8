import { connect } from "node:net";
import { parentPort, workerData } from "node:worker_threads";

/**
 * A thread that sends a request on a new connection each two milliseconds, until it is told to stop. It says when the first one was answered,
 * and at the end how many ended how.
 */

const { port } = workerData as { port: number };
const ends: Record<string, number> = {};
const open = new Set<Promise<string>>();

function knock(): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1", () =>
      socket.write("GET / HTTP/1.1\r\nHost: app\r\nConnection: close\r\n\r\n"),
    );
    socket.once("data", (chunk: Buffer) => resolve(chunk.toString().slice(9, 12)));
    socket.once("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    socket.once("end", () => resolve("end"));
  });
}

const knocking = setInterval(() => {
  const one = knock();
  open.add(one);
  void one.then((end) => {
    open.delete(one);
    if (Object.keys(ends).length === 0) parentPort!.postMessage("answered");
    ends[end] = (ends[end] ?? 0) + 1;
  });
}, 2);

parentPort!.on("message", () => {
  clearInterval(knocking);
  void Promise.all(open).then(() => {
    parentPort!.postMessage(ends);
    parentPort!.close();
  });
});
