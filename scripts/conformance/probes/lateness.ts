import type { Asking } from "../asking.ts";
import type { LateCase } from "../seen.ts";
import type { Made } from "../scratch.ts";
import { listEnds } from "../scratch.ts";
import { ask } from "../service.ts";
import { note } from "./tokens.ts";

/** docs/shipping-interface.md, 4.1 to 4.5: how long after a write's answer it shows in the template's own GET, and in the list. */

const LOOK_EVERY_MS = 1_000;

export async function askCreatedAppears(asking: Asking): Promise<void> {
  const { made } = asking;
  if (!made.deleted) return;
  await wait(asking, "created_get", { sinceMs: made.deleted.atMs, isThere: () => isGot(asking, made.deleted!) });
  await wait(asking, "created_list", { sinceMs: made.deleted.atMs, isThere: () => isListed(asking, made.deleted!) });
}

export async function askDeletedDisappears(asking: Asking): Promise<void> {
  const { scratch, seen, made, clock } = asking;
  const template = made.deleted;
  if (!template) return;
  const removed = await scratch.remove(template);
  const sinceMs = clock.monotonicMs();
  note(asking, "delete", removed);
  if (removed.value?.kind !== "written" || !removed.answer) return;
  delete made.deleted;
  const { body } = removed.answer;
  const isObject = body.trim() === "{}";
  seen.deleteBody = body.trim() === "" ? "empty" : isObject ? "object" : body.includes('"data"') ? "data" : "other";
  await wait(asking, "deleted_get", { sinceMs, isThere: async () => !(await isGot(asking, template)) });
  await wait(asking, "deleted_list", { sinceMs, isThere: async () => !(await isListed(asking, template)) });
}

export interface Awaited {
  /** When the write was answered, on the monotonic clock. */
  sinceMs: number;
  isThere(): Promise<boolean>;
}

/** A look that is right at once counts as no lateness: the request itself takes a while. */
export async function wait(asking: Asking, what: LateCase, { sinceMs, isThere }: Awaited): Promise<void> {
  const { clock, seen, lateMs, call, tell } = asking;
  const late = (seen.late ??= {});
  for (let looks = 1; ; looks += 1) {
    if (await isThere()) return void (late[what] = looks === 1 ? 0 : Math.round(clock.monotonicMs() - sinceMs));
    if (clock.monotonicMs() - sinceMs > lateMs) return void (late[what] = null);
    if (looks === 3) tell(`  ${what.replace("_", " in ")}: not yet, waiting at most ${Math.round(lateMs / 1_000)} s`);
    await clock.sleep(LOOK_EVERY_MS, call.signal);
  }
}

async function isGot(asking: Asking, { template: { id } }: Made): Promise<boolean> {
  const { service, call } = asking;
  const outcome = await ask(service, () => service.client.get(service.caller, id, call));
  if (outcome.value?.kind !== "found") return false;
  note(asking, "get", outcome);
  return true;
}

async function isListed({ service, call }: Asking, { template: { id } }: Made): Promise<boolean> {
  return (await listEnds(service, call.signal)).some((row) => row.id === id);
}
