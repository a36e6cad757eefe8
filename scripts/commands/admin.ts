import { createClock } from "../../app/adapters/machine/clock.ts";
import { createRandom } from "../../app/adapters/machine/random.ts";
import { isLocked } from "../../app/adapters/store/database.ts";
import { parseKeys } from "../../app/adapters/store/encryption.ts";
import { createStore } from "../../app/adapters/store/store.ts";
import type { Log } from "../../app/ports.ts";
import { changeShop, CHANGES, type Change } from "../admin/change-shop.ts";
import { tellShop } from "../admin/tell-shop.ts";
import { tellShops } from "../admin/tell-shops.ts";
import { printable } from "../admin/printable.ts";
import { command } from "./command.ts";

const USAGE = `Usage: npm run admin -- shops                      a line for each shop with something to look at
       npm run admin -- shop SHOP                  all that is known of it, without secrets
       npm run admin -- shop SHOP look-again       its locations and its address book are read anew
       npm run admin -- shop SHOP pause            nothing of it is synced until resume
       npm run admin -- shop SHOP resume
       npm run admin -- shop SHOP unblock          what is parked or blocked is tried again`;

const QUIET: Log = { info: () => undefined, warn: () => undefined, error: () => undefined };

/**
 * What is known of one shop, and what an operator may ask of the app in its owner's place. It works beside a running app, which carries out
 * what is asked. See docs/operations.md.
 */
export const admin = command(async ({ args, env, say }) => {
  const [subject, name = "", change, ...more] = args;
  const isChange = (word: string): word is Change => CHANGES.some((each) => each === word);
  const isList = subject === "shops" && name === "";
  if (!isList && (subject !== "shop" || name === "" || more.length > 0)) throw new Error(USAGE);
  if (change !== undefined && !isChange(change)) throw new Error(USAGE);
  const shop = name.includes(".") ? name : `${name}.myshopify.com`;
  const url = env.DATABASE_URL;
  if (!url) throw new Error("DATABASE_URL is missing: set it to the app's database, e.g. file:.data/origen.db");
  const store = await createStore({ url, keys: parseKeys(env.APP_KEYS), log: QUIET, exclusive: false });
  const unknown = () => new Error(`No shop ${shop} is known.`);
  try {
    if (isList) {
      for (const line of await tellShops(store)) say(printable(line));
      return;
    }
    const clock = createClock();
    if (change === undefined) {
      const lines = await tellShop(store, { shop, nowMs: clock.nowMs() });
      if (!lines) throw unknown();
      for (const line of lines) say(printable(line));
      return;
    }
    const said = await changeShop({ store, clock, random: createRandom() }, { shop, change });
    if (said === null) throw unknown();
    const isRunning = await isLocked(url);
    say(`${shop}: ${said}${isRunning ? "" : " The app is not running: it does it when it is started."}`);
  } finally {
    await store.close();
  }
});
