import { Socket } from "node:net";
import { createClock } from "../../../../app/adapters/machine/clock.ts";
import { createRandom } from "../../../../app/adapters/machine/random.ts";
import { createShippingService } from "../../../../app/adapters/shipping/service.ts";
import { isAppError } from "../../../../app/domain/errors.ts";
import type { ConnectionRef } from "../../../../app/ports.ts";
import { DRAFT, INTERACTIVE, memoryTokenStore, USER_AGENT } from "../support/world.ts";

// Creates one template at the address given and prints how that ended. With "stopping" it stops itself, as a suspended machine would,
// once the socket of an announced write has begun to connect: it cannot be written to before the event loop comes round.
const [url, how] = process.argv.slice(2);
const tokens = memoryTokenStore();
const ref: ConnectionRef = { id: "c", version: 1, shop: "s", environment: "test", clientId: "client" };
const credentials = { ...ref, clientSecret: "secret", scope: null, redirectUri: null };
const token = {
  accessToken: "t",
  refreshToken: null,
  scope: null,
  obtainedAtMs: Date.now(),
  expiresAtMs: Date.now() + 7_200_000,
};
tokens.rows.set(ref.id, { version: 1, state: "active", credentials, token });
const quiet = () => undefined;
const service = createShippingService({
  baseUrls: { test: url!, production: null },
  userAgent: USER_AGENT,
  clock: createClock(),
  random: createRandom(),
  log: { info: quiet, warn: quiet, error: quiet },
  tokens: tokens.store,
  budget: { graceMs: 0, openAtOnce: true },
  timeouts: { totalMs: how === "stopping" ? 10_000 : 800 },
  sendWithinMs: 400,
});
let stops = false;
Socket.prototype.connect = new Proxy(Socket.prototype.connect, {
  apply(connect, socket, target) {
    const connecting = Reflect.apply(connect, socket, target) as Socket;
    if (stops) process.kill(process.pid, "SIGSTOP");
    return connecting;
  },
});
const beforeSend = async () => {
  stops = how === "stopping";
};
const end = await service
  .account(ref)
  .create(DRAFT, { ...INTERACTIVE, beforeSend })
  .then(
    ({ kind }) => kind,
    (error: unknown) => (isAppError(error) ? `${error.kind}, effect ${error.effect}` : String(error)),
  );
console.log(`ended: ${end}`);
await service.close();
