import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { parseArgs } from "node:util";

/**
 * `npm run pictures`: every page and dialog in every state of `test/e2e/states/states.ts`, in both languages and four widths, checked by
 * machine; a picture of each below `test/e2e/screenshots/`, a folder a state. `-- --only drift,gone` plays these states alone,
 * `--page origin,home` opens these pages, `--language es` speaks one language.
 */

const root = join(import.meta.dirname, "..");
const one = { type: "string" } as const;
const { values } = parseArgs({ options: { only: one, page: one, language: one } });
execFileSync(
  join(root, "node_modules", ".bin", "vitest"),
  ["run", "--project", "e2e", "test/e2e/states/every-state.test.ts"],
  {
    cwd: root,
    stdio: "inherit",
    env: {
      ...process.env,
      SCREENSHOTS: "1",
      ...(values.only !== undefined && { ONLY: values.only }),
      ...(values.page !== undefined && { ONLY_PAGE: values.page }),
      ...(values.language !== undefined && { ONLY_LANGUAGE: values.language }),
    },
  },
);
