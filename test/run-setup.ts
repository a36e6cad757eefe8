import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/**
 * A folder for one run of the tests. Into it goes what is made once and only copied or looked at afterwards, such as the sandboxes'
 * migrated database. Workers find it in the environment.
 */
export default async function setup(): Promise<(() => Promise<void>) | undefined> {
  // Each project of a run calls this.
  if (process.env.TEST_RUN_DIR) return undefined;
  const folder = await mkdtemp(join(tmpdir(), "origen-tests-"));
  process.env.TEST_RUN_DIR = folder;
  return async () => {
    delete process.env.TEST_RUN_DIR;
    await rm(folder, { recursive: true, force: true });
  };
}
