import { parseKeys } from "../app/adapters/store/encryption.ts";
import { rotateKeys } from "../app/adapters/store/rotate.ts";

// Re-encrypts every secret of the database with the first key of APP_KEYS. It may be killed and run again. The app may run meanwhile if it
// was started with the same APP_KEYS.
const url = process.env.DATABASE_URL;

try {
  if (!url) throw new Error("DATABASE_URL is missing: set it to the app's database, e.g. file:.data/origen.db");
  const keyring = parseKeys(process.env.APP_KEYS);
  const { reencrypted, unreadable } = await rotateKeys({
    url,
    keyring,
    onBatch: ({ model, field }, count) => console.log(`${model}.${field}: ${count} re-encrypted`),
    onBusy: () => console.log("The database is busy; trying again."),
  });
  if (unreadable.length > 0) {
    throw new Error(
      `No key opens these; keep every key of APP_KEYS until they are saved anew:\n  ${unreadable.join("\n  ")}`,
    );
  }
  const others = [...keyring.keys.keys()].filter((id) => id !== keyring.firstId);
  console.log(`${reencrypted} re-encrypted. Every secret is under the key ${keyring.firstId}.`);
  if (others.length > 0) console.log(`APP_KEYS no longer needs: ${others.join(", ")}.`);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
