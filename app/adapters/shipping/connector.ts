import type { Socket } from "node:net";
import { buildConnector } from "undici";

/**
 * Connects to the service with sockets that are reset, not closed, when a request on them is given up. After a close the kernel keeps
 * trying to deliver what it still holds, for minutes if the network is down. A write could then arrive after its quarantine. A reset drops
 * that data.
 */
export function createConnector(options: buildConnector.BuildOptions): buildConnector.connector {
  const connect = buildConnector(options);
  return (target, callback) => {
    const secure = target.protocol === "https:";
    // TLS runs over a TCP socket that we open ourselves, because only a plain TCP socket can be reset.
    const bare = secure ? { ...target, protocol: "http:", port: target.port || "443" } : target;
    connect(bare, (...opened) => {
      const [error, socket] = opened;
      if (error) return callback(error, null);
      if (!secure) return callback(null, resetWhenGivenUp(socket, socket));
      connect({ ...target, httpSocket: socket }, (...secured) => {
        if (secured[0]) return callback(secured[0], null);
        callback(null, resetWhenGivenUp(secured[1], socket));
      });
    });
  };
}

/**
 * `socket` is what undici reads and writes; `bare` is the TCP socket below it. Undici destroys with an error a socket that it gives up. The
 * TLS socket is destroyed only after the bare socket has closed, because closing both at once is a use after free inside Node.
 */
function resetWhenGivenUp<S extends Socket>(socket: S, bare: Socket): S {
  const destroy = socket.destroy.bind(socket);
  let resetting = false;
  socket.destroy = (error) => {
    if (!error || resetting) return destroy(error);
    resetting = true;
    if (socket !== bare) bare.once("close", () => destroy(error));
    bare.resetAndDestroy();
    return socket;
  };
  return socket;
}
