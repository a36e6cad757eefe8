import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import type { AppProcess } from "../sandbox/app-process.ts";
import type { SoakWorld } from "./world.ts";

/** The server of a database crashes so often. */
const CRASH_EVERY = 50;

/**
 * Ends one of the app's processes as a power cut does and starts it, again and again. Resolves to how often one ended by itself, which it
 * must never do.
 */
export async function killAgainAndAgain(
  { random: chance, apps, diary, service }: SoakWorld,
  { kills, databaseUrl }: { kills: number; databaseUrl: string | null },
): Promise<number> {
  const random = chance.fork("kills");
  let crashes = 0;
  /** What has answered since it was started last. */
  const up = new Set<AppProcess>();
  const starts = new Map<AppProcess, number>();
  /** Again and again, as whoever runs the app does: none starts while its database is away. */
  const start = async (app: AppProcess): Promise<void> => {
    const turn = (starts.get(app) ?? 0) + 1;
    starts.set(app, turn);
    while (starts.get(app) === turn) {
      const isUp = await app.start().then(
        () => true,
        () => false,
      );
      if (starts.get(app) !== turn) return;
      if (isUp) {
        up.add(app);
        diary.note("all", "the app is up");
        return;
      }
      await sleep(1_000);
    }
  };
  apps.forEach((app) => up.add(app));
  for (let kill = 1; kill <= kills; kill += 1) {
    await sleep(livesForMs(kill, random) / apps.length);
    if (databaseUrl !== null && kill % CRASH_EVERY === 0) {
      await crashServer(databaseUrl);
      diary.note("all", "the database's server crashes");
    }
    const app = random.pick(apps);
    if (up.has(app) && !app.running()) {
      crashes += 1;
      diary.note("all", "the app has ended by itself");
    }
    // One in ten ends is an orderly stop, as at a deploy.
    const asked = random.chance(0.1);
    diary.note("all", asked ? "the app is asked to stop" : "the app is killed");
    up.delete(app);
    starts.set(app, (starts.get(app) ?? 0) + 1);
    await (asked ? app.stop() : app.kill());
    await sleep(random.pick([0, 50, 400, 1_500]));
    const started = start(app);
    // One in four processes is killed before it is ready.
    if (!random.chance(0.25)) await started;
    if (kill % 10 === 0) console.log(`${kill} kills, ${service.report().calls} calls`);
  }
  // The last start is the caller's.
  starts.clear();
  return crashes;
}

/** The server ends all its sessions and recovers when one of them is killed. */
async function crashServer(url: string): Promise<void> {
  const client = new pg.Client(url);
  client.on("error", () => undefined);
  await client.connect();
  const { rows } = await client.query<{ pid: number }>("SELECT pg_backend_pid() AS pid");
  process.kill(rows[0]!.pid, "SIGKILL");
  await client.end().catch(() => undefined);
}

/**
 * Most processes live for a short time. Some live long enough for a reconcile, and a few for two readings of the book half a minute apart.
 */
function livesForMs(kill: number, random: { between(least: number, most: number): number }): number {
  if (kill % 50 === 0) return random.between(45_000, 60_000);
  if (kill % 4 === 0) return random.between(4_000, 10_000);
  return random.between(100, 2_500);
}
