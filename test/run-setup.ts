import { chmod, mkdtemp, readFile, rm, statfs } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

const MEMORY = "/dev/shm";
/** A run leaves about a tenth of this there. */
const ENOUGH_BYTES = 2 * 1024 ** 3;

/**
 * A folder for one run of the tests, and the temporary folder of all that runs in it. Into it goes what is made once and only copied or
 * looked at afterwards, such as the sandboxes' migrated database. Workers find it in the environment.
 */
export default async function setup(): Promise<(() => Promise<void>) | undefined> {
  // Each project of a run calls this.
  if (process.env.TEST_RUN_DIR) return undefined;
  const { TMPDIR } = process.env;
  const folder = await mkdtemp(join((await inMemory()) ?? tmpdir(), "origen-tests-"));
  // PostgreSQL's server runs as nobody where this is root, and has its data in here.
  await chmod(folder, 0o711);
  Object.assign(process.env, { TEST_RUN_DIR: folder, TMPDIR: folder });
  return async () => {
    delete process.env.TEST_RUN_DIR;
    if (TMPDIR === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = TMPDIR;
    await rm(folder, { recursive: true, force: true });
  };
}

/**
 * A folder that lies in memory, where the machine has one with enough room. The app has each commit of SQLite wait for the disk, and
 * tests make thousands. What they prove of kills does not hang on it: a killed process loses nothing that it wrote, only a power cut does.
 */
async function inMemory(): Promise<string | null> {
  try {
    const mounts = (await readFile("/proc/mounts", "utf8")).split("\n").map((line) => line.split(" "));
    const options = mounts.find(([, place]) => place === MEMORY)?.[3]?.split(",") ?? ["noexec"];
    // PostgreSQL's programs may be copied there.
    if (options.includes("noexec") || options.includes("ro")) return null;
    const { bavail, bsize } = await statfs(MEMORY);
    return bavail * bsize >= ENOUGH_BYTES ? MEMORY : null;
  } catch {
    return null;
  }
}
