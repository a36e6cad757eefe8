import { createClock } from "../../app/adapters/machine/clock.ts";
import { createRandom } from "../../app/adapters/machine/random.ts";
import { parseKeys } from "../../app/adapters/store/encryption.ts";
import { isLocked } from "../../app/adapters/store/database.ts";
import { createStore } from "../../app/adapters/store/store.ts";
import type { Log } from "../../app/ports.ts";
import { decideRedaction, readRedactions } from "../../app/shop/decide-redaction.ts";
import type { OpenRedaction } from "../../app/shop/decide-redaction.ts";
import { command } from "./command.ts";

const USAGE = `Usage: npm run redactions -- list
       npm run redactions -- erase SHOP     erase everything of the shop
       npm run redactions -- keep SHOP      keep the shop: Shopify's request is not meant for it`;

const QUIET: Log = { info: () => undefined, warn: () => undefined, error: () => undefined };

/**
 * Shopify's requests to erase a shop for which Shopify does not confirm that it has left. Shows them, and stores what a person decides. The
 * app carries the decision out, so this works beside a running app. See docs/erasing-a-shop.md.
 */
export const redactions = command(async ({ args, env, say }) => {
  const [asked = "list", shop, ...more] = args;
  const deciding = asked === "erase" || asked === "keep";
  if ((!deciding && asked !== "list") || deciding !== (shop !== undefined) || more.length > 0) throw new Error(USAGE);
  const url = env.DATABASE_URL;
  if (!url) throw new Error("DATABASE_URL is missing: set it to the app's database, e.g. file:.data/origen.db");
  const store = await createStore({ url, keys: parseKeys(env.APP_KEYS), log: QUIET, exclusive: false });
  try {
    const open = await readRedactions({ store });
    if (!deciding) {
      for (const line of listed(open)) say(line);
      return;
    }
    const services = { store, clock: createClock(), random: createRandom() };
    if (!(await decideRedaction(services, { shop: shop!, decision: asked }))) {
      const others = open.length === 0 ? "No request is open." : `Open are: ${open.map((one) => one.shop).join(", ")}.`;
      throw new Error(`Shopify has no open request to erase ${shop}. ${others}`);
    }
    const when = (await isLocked(url))
      ? "The app does it within a minute"
      : "The app is not running: it does it when it is started";
    say(
      asked === "erase"
        ? `${shop}: to be erased. ${when}, unless Shopify lets us into the shop by then, which would keep it.`
        : `${shop}: to be kept. ${when}; nothing of the shop is erased.`,
    );
  } finally {
    await store.close();
  }
});

function listed(open: OpenRedaction[]): string[] {
  if (open.length === 0) return ["No request of Shopify's to erase a shop is open."];
  const day = (ms: number) => new Date(ms).toISOString().slice(0, 10);
  return open.flatMap(({ shop, toldAtMs, eraseByMs, said, decision }) => [
    `${shop}  asked ${day(toldAtMs)}, to be settled by ${day(eraseByMs)}`,
    `  Shopify: ${said ?? "was not asked yet"}`,
    `  decided: ${decision ?? "nothing yet"}`,
  ]);
}
