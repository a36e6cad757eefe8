import { parseKeys } from "../../app/adapters/store/encryption.ts";
import { rotateKeys as rotate } from "../../app/adapters/store/rotate.ts";
import { command } from "./command.ts";

/**
 * Re-encrypts every secret of the database with the first key of APP_KEYS. It may be killed and run again. The app may run meanwhile if it
 * was started with the same APP_KEYS.
 */
export const rotateKeys = command(async ({ env, say }) => {
  const url = env.DATABASE_URL;
  if (!url) throw new Error("DATABASE_URL is missing: set it to the app's database, e.g. file:.data/origen.db");
  const keyring = parseKeys(env.APP_KEYS);
  const { reencrypted, unreadable } = await rotate({
    url,
    keyring,
    onBatch: ({ model, field }, count) => say(`${model}.${field}: ${count} re-encrypted`),
    onBusy: () => say("The database is busy; trying again."),
  });
  if (unreadable.length > 0) {
    throw new Error(
      `No key opens these; keep every key of APP_KEYS until they are saved anew:\n  ${unreadable.join("\n  ")}`,
    );
  }
  const others = [...keyring.keys.keys()].filter((id) => id !== keyring.firstId);
  say(`${reencrypted} re-encrypted. Every secret is under the key ${keyring.firstId}.`);
  if (others.length > 0) say(`APP_KEYS no longer needs: ${others.join(", ")}.`);
});
