import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Socket } from "node:net";

/** The way to a database's server, which can be cut, shut and slow. */
export interface Proxy {
  url: string;
  /** Cuts every connection, and with `shut` lets none in until it is opened. */
  cut(how?: { shut: boolean }): void;
  /** Lets no new connection in, as a server does whose connections are all taken. */
  shut(): void;
  open(): void;
  /** Passes nothing on in either direction until it is opened, as when a server stands still: nobody is told. */
  stall(): void;
  /** How long each thing said by either side is under way. */
  slow(ms: number): void;
  close(): Promise<void>;
}

export async function startProxy(to: string): Promise<Proxy> {
  const target = new URL(to);
  const sockets = new Set<Socket>();
  let [isShut, isStalled, slowMs] = [false, false, 0];

  const pass = (from: Socket, into: Socket) => {
    sockets.add(from);
    if (isStalled) from.pause();
    from.on("data", (chunk) => (slowMs > 0 ? setTimeout(() => into.write(chunk), slowMs) : into.write(chunk)));
    from.on("error", () => into.destroy());
    from.on("close", () => {
      sockets.delete(from);
      into.destroy();
    });
  };

  const server = createServer((client) => {
    if (isShut) return client.destroy();
    const upstream = connect(Number(target.port), target.hostname);
    pass(client, upstream);
    pass(upstream, client);
    return undefined;
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const cutAll = () => sockets.forEach((socket) => socket.destroy());
  const url = new URL(to);
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: url.href,
    cut({ shut } = { shut: false }) {
      isShut = shut;
      cutAll();
    },
    shut() {
      isShut = true;
    },
    open() {
      [isShut, isStalled] = [false, false];
      sockets.forEach((socket) => socket.resume());
    },
    stall() {
      isStalled = true;
      sockets.forEach((socket) => socket.pause());
    },
    slow(ms) {
      slowMs = ms;
    },
    async close() {
      cutAll();
      server.close();
      await once(server, "close");
    },
  };
}
