import { parseArgs } from "node:util";
import { parseKeys } from "../../app/adapters/store/encryption.ts";
import { createStore } from "../../app/adapters/store/store.ts";
import type { PostalFacts, PostalSource } from "../../app/domain/mexico/postal-codes.ts";
import type { Log } from "../../app/ports.ts";
import { checkWhole, readPostalFiles } from "../postal-codes/read-files.ts";
import { command, type Command } from "./command.ts";

const USAGE = `Usage: npm run postal-codes:import -- FILE…
       npm run postal-codes:import -- --part FILE     a list of some codes only`;

const QUIET: Log = { info: () => undefined, warn: () => undefined, error: () => undefined };

const WHOSE: Record<PostalSource, string> = {
  post_office: "the post office's catalogue",
  tax_authority: "the tax authority's catalogues",
  geonames: "GeoNames' list (CC BY: the app shows whose it is)",
  table: "a table of its own",
  by_hand: "written by hand",
};

/**
 * Imports a list of postal codes in place of the one in use. It works beside a running app, which uses the new list from its end on. It may be
 * killed and run again: until its end nothing has changed. See docs/postal-codes.md.
 */
export const importPostalCodes: Command = async (input) => {
  let isInUse = false;
  const code = await command(async ({ args, env, say }) => {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: { part: { type: "boolean", default: false } },
    });
    if (positionals.length === 0) throw new Error(USAGE);
    const url = env.DATABASE_URL;
    if (!url) throw new Error("DATABASE_URL is missing: set it to the app's database, e.g. file:.data/origen.db");
    say(`Reading ${positionals.join(", ")} …`);
    const { source, codes } = readPostalFiles(positionals);
    say(`${counted(codes.length)} codes with ${counted(settlementsOf(codes))} settlements, from ${WHOSE[source]}.`);
    const store = await createStore({ url, keys: parseKeys(env.APP_KEYS), log: QUIET, exclusive: false });
    try {
      if (!values.part) checkWhole(codes, (await store.postalCodes.edition())?.codes ?? 0);
      const { number } = await store.postalCodes.replace({
        source,
        importedAtMs: Date.now(),
        codes,
        onProgress: (stored) => say(`  ${counted(stored)} of ${counted(codes.length)} stored`),
      });
      isInUse = true;
      say(`In use since now, as edition ${number}. What owners have confirmed stays as it is.`);
    } finally {
      await store.close();
    }
  })(input);
  if (code !== 0 && !isInUse) input.complain("Nothing has changed.");
  return code;
};

function counted(rows: number): string {
  return rows.toLocaleString("en");
}

function settlementsOf(codes: readonly PostalFacts[]): number {
  return codes.reduce((sum, { settlements }) => sum + settlements.length, 0);
}
