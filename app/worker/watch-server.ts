import type { Services } from "../ports.ts";
import { createFailOver } from "../shop/follow-fail-over.ts";

/** Nobody sends before another server was accepted, so nobody is harmed by a second. */
const LOOK_EVERY_MS = 1_000;

/**
 * Looks now and every second whether the database's server is another one, beside the worker's loop, which may rest for half a minute. The
 * function returned ends that, and resolves when no look is under way.
 */
export function watchServer(services: Services): () => Promise<void> {
  const { clock, log } = services;
  const failOver = createFailOver(services);
  let fails = false;
  let stopped = false;
  let cancel = () => {};
  const look = async (): Promise<void> => {
    await failOver.look().then(
      () => void (fails = false),
      (error: unknown) => {
        // Once, for a database that is away fails each second.
        if (!fails) log.warn({ error }, "the database was not asked which server it is on");
        fails = true;
      },
    );
    if (!stopped) cancel = clock.after(LOOK_EVERY_MS, () => void (underWay = look()));
  };
  let underWay = look();
  return async () => {
    stopped = true;
    cancel();
    await underWay;
  };
}
