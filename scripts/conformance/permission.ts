import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { parseKeys } from "../../app/adapters/store/encryption.ts";
import { createStore } from "../../app/adapters/store/store.ts";
import type { Log } from "../../app/ports.ts";

/** What a run may ask, and whom: never production, never with credentials that an app uses. */
export interface Permission {
  baseUrl: string;
  host: string;
  clientId: string;
  clientSecret: string;
  /** Whose templates a journal's entry names: a hash, so that the journal holds no client id. */
  account: string;
}

export interface Wanted {
  environment: string | undefined;
  /** Said by the operator: there is no app's database. */
  noApp: boolean;
  testUrl: string;
  productionUrl: string;
  variables: Record<string, string | undefined>;
}

/** @throws with a sentence that says what to do. */
export async function permissionFor({ environment, noApp, variables, ...urls }: Wanted): Promise<Permission> {
  if (environment === "production") throw new Error("Production is never asked: its address book is somebody's.");
  if (environment !== "test") throw new Error("Say --environment test: it is the only one that may be asked.");
  const { testUrl, productionUrl } = urls;
  if (isSame(testUrl, productionUrl))
    throw new Error("SHIPPING_TEST_URL is production's address, SHIPPING_PRODUCTION_URL. Production is never asked.");
  const clientId = variables["CONFORMANCE_CLIENT_ID"]?.trim();
  const clientSecret = variables["CONFORMANCE_CLIENT_SECRET"]?.trim();
  if (!clientId || !clientSecret)
    throw new Error(
      "CONFORMANCE_CLIENT_ID and CONFORMANCE_CLIENT_SECRET are missing: the credentials of a test account of your own.",
    );
  await refuseIfUsed({ clientId, noApp, variables });
  const account = createHash("sha256").update(`${testUrl}\n${clientId}`).digest("hex").slice(0, 16);
  return { baseUrl: testUrl, host: new URL(testUrl).host, clientId, clientSecret, account };
}

/** The interface's environments differ in their hosts. Two on this machine may differ in the path. */
function isSame(one: string, other: string): boolean {
  const [test, production] = [new URL(one), new URL(other)];
  const isHere = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(test.hostname);
  const path = ({ pathname }: URL) => pathname.replace(/(?<!\/)\/+$/, "");
  return test.host === production.host && (!isHere || path(test) === path(production));
}

const QUIET: Log = { info: () => undefined, warn: () => undefined, error: () => undefined };

async function refuseIfUsed({
  clientId,
  noApp,
  variables,
}: { clientId: string } & Pick<Wanted, "noApp" | "variables">) {
  const url = variables["DATABASE_URL"];
  if (!url) {
    if (noApp) return;
    throw new Error(
      "DATABASE_URL is missing, so nobody can tell whether an app uses these credentials. Set it, or say --no-app where there is none.",
    );
  }
  // No app has begun there.
  if (url.startsWith("file:") && !existsSync(url.slice("file:".length))) return;
  const store = await createStore({ url, keys: parseKeys(variables["APP_KEYS"]), log: QUIET, exclusive: false });
  try {
    const used = await store.connections.list({ clientId });
    const by = used.filter(({ state }) => state !== "disconnected").map(({ shop }) => shop);
    if (by.length > 0)
      throw new Error(
        `The app uses this client id for ${by.join(", ")}. Its tokens and its rate would be disturbed: take another test account.`,
      );
  } finally {
    await store.close();
  }
}
