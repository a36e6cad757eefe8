import { confirmAccount } from "../../../app/account/confirm-account.ts";
import { connectAccount } from "../../../app/account/connect-account.ts";
import { switchEnvironment } from "../../../app/account/switch-environment.ts";
import { disconnectAccount } from "../../../app/account/disconnect-account.ts";
import { refreshConnection } from "../../../app/pages/refresh-connection.ts";
import type { Services } from "../../../app/ports.ts";
import { ensureWelcomed } from "../../../app/shop/welcome-shop.ts";
import { CLIENTS } from "../story/accounts.ts";
import { nextSecret } from "./in-service.ts";
import { connectionOf } from "./stage.ts";
import type { Action, Stage } from "./stage.ts";

/** What a shop's owner does on the page of the connection. */

const COMES_BACK_MS = { least: 10_000, most: 60_000 };

/** Enters a new secret for the same connection. Its version rises, and a reconcile follows. */
export const swapSecret: Action = async (stage, { shop }) => {
  const services = stage.visit();
  const current = connectionOf(stage, shop);
  if (!services || !current || stage.known.away.has(shop) || stage.known.disconnected.has(shop)) return false;
  return connect(stage, services, { shop, client: current });
};

/** Connects another client id of the same account. The links pass over to it. */
export const takeOver: Action = (stage, at) => changeClient(stage, at.shop, "same");

export const changeAccount: Action = (stage, at) => changeClient(stage, at.shop, "other");

/** Takes up the account of the other environment with the credentials that are kept. Where none are kept, or they work no more, enters them. */
export const changeEnvironment: Action = async (stage, { shop }) => {
  const services = stage.visit();
  const current = connectionOf(stage, shop);
  if (!services || !current || stage.known.away.has(shop) || stage.known.disconnected.has(shop)) return false;
  await openPage(stage, services, shop);
  const environment = current.environment === "test" ? "production" : "test";
  const { kind } = await switchEnvironment(services, { shop, environment });
  if (kind !== "switched" && kind !== "unconfirmed") {
    if (!(await changeClient(stage, shop, "trial"))) return false;
    // In the middle of whatever is under way there by then.
    stage.after(stage.random.between(500, 60_000), () => void goBack(stage, shop).catch(() => undefined));
    return true;
  }
  stage.tally.count("act: switchEnvironment");
  const client = connectionOf(stage, shop);
  if (client)
    stage.after(stage.random.between(5_000, 30_000), () => void answerAccount(stage, { shop, client, same: false }));
  return true;
};

/** Most go there and back within a minute, some several times. */
async function goBack(stage: Stage, shop: string): Promise<void> {
  if (!(await changeEnvironment(stage, { shop, locationId: "" }))) return;
  if (stage.random.chance(0.5))
    stage.after(stage.random.between(500, 60_000), () => void goBack(stage, shop).catch(() => undefined));
}

/** Connects the other client id, and at the next such action the first one again. */
async function changeClient(stage: Stage, shop: string, which: keyof typeof CLIENTS): Promise<boolean> {
  const services = stage.visit();
  const current = connectionOf(stage, shop);
  const scene = stage.scenery.shops.find((each) => each.shop === shop)!;
  if (!services || !current || stage.known.away.has(shop) || stage.known.disconnected.has(shop)) return false;
  const first = { environment: "production", clientId: scene.clientId } as const;
  const client =
    current.clientId === CLIENTS[which].clientId && current.environment === CLIENTS[which].environment
      ? first
      : CLIENTS[which];
  if (!(await connect(stage, services, { shop, client }))) return false;
  const same =
    stage.accounts.of(client.clientId, client.environment) === stage.accounts.of(current.clientId, current.environment);
  stage.after(stage.random.between(5_000, 30_000), () => void answerAccount(stage, { shop, client, same }));
  // Some leave the service for good after that: what was set aside goes, too.
  if (stage.random.chance(0.3)) stage.after(stage.random.between(10_000, 60_000), () => void leaveService(stage, shop));
  return true;
}

async function leaveService(stage: Stage, shop: string): Promise<void> {
  if (await disconnect(stage, { shop, locationId: "" })) stage.tally.count("act: disconnect");
}

/** Where the app cannot tell which account a client id opens, it asks. The owner answers for the client id that the app names. */
async function answerAccount(
  stage: Stage,
  { shop, client, same }: { shop: string; client: { environment: string; clientId: string }; same: boolean },
): Promise<void> {
  const services = stage.visit();
  const asked = connectionOf(stage, shop);
  if (!services || asked?.state !== "unconfirmed") return;
  if (asked.clientId !== client.clientId || asked.environment !== client.environment) return;
  const answered = await confirmAccount(services, { shop, same }).catch(() => false);
  if (answered) stage.tally.count("act: answerAccount");
}

/** Most of them connect again. */
export const disconnect: Action = async (stage, { shop }) => {
  const { visit, known, random, after, timeline, tally } = stage;
  const services = visit();
  const current = connectionOf(stage, shop);
  if (!services || !current?.clientSecret || known.away.has(shop) || known.disconnected.has(shop)) return false;
  known.disconnected.add(shop);
  if (!(await disconnectAccount(services, { shop }))) return false;
  if (random.chance(0.7)) {
    const again = () => {
      timeline.tell("owner", () => `connects ${shop} again`);
      void reconnect(stage, shop)
        .catch(() => false)
        .then((done) => {
          if (done) tally.count("act: reconnect");
          else if (known.disconnected.has(shop)) after(COMES_BACK_MS.least, again);
        });
    };
    after(random.between(COMES_BACK_MS.least, COMES_BACK_MS.most), again);
  }
  return true;
};

async function reconnect(stage: Stage, shop: string): Promise<boolean> {
  const services = stage.visit();
  const current = connectionOf(stage, shop);
  if (!services || stage.known.away.has(shop)) return false;
  const scene = stage.scenery.shops.find((each) => each.shop === shop)!;
  return connect(stage, services, { shop, client: current ?? { environment: "production", clientId: scene.clientId } });
}

export const pressRefresh: Action = async (stage, { shop }) => {
  const services = stage.visit();
  if (!services || !connectionOf(stage, shop)) return false;
  await refreshConnection(services, { shop });
  return true;
};

/** Connects with a secret that the service takes. */
export async function connect(
  stage: Stage,
  services: Services,
  { shop, client }: { shop: string; client: { environment: "test" | "production"; clientId: string } },
): Promise<boolean> {
  const { environment, clientId } = client;
  const stated = { environment, clientId, clientSecret: nextSecret(stage, shop), scope: null, redirectUri: null };
  // As of the press: a stopped process may hold it up, and the owner may press Disconnect meanwhile.
  const { disconnected } = stage.known;
  const wasDisconnected = disconnected.has(shop);
  await openPage(stage, services, shop);
  const answer = await connectAccount(services, { shop, stated });
  const connected = answer.kind === "connected" || answer.kind === "unconfirmed";
  // An owner who presses Disconnect while this is under way means the connection that it makes.
  if (connected && wasDisconnected) disconnected.delete(shop);
  return connected;
}

/** Whoever presses has opened a page, and that opens a shop which was thought to have left. */
async function openPage(stage: Stage, services: Services, shop: string): Promise<void> {
  if (!stage.shopify.isInstalled(shop)) return;
  if (!stage.sessions.has(shop)) stage.sessions.keep(stage.server.signIn(shop));
  await ensureWelcomed(services, { shop });
}
