/** The address book as it was a while ago, because a service's readings may be behind its writes. */
import type { StoredTemplate } from "../address-book.ts";
import type { World } from "../world.ts";

/** The account's templates `behindMs` ago, in order of creation; what was deleted since stands at the end. */
export function bookBehind(world: World, account: string, behindMs: number): StoredTemplate[] {
  const now = world.book.of(account);
  if (behindMs === 0) return now;
  const then = new Map(now.map((template) => [template.id, template]));
  const sinceMs = world.nowMs() - behindMs;
  const newer = world.log.since(0).filter((entry) => entry.account === account && entry.atMs > sinceMs);
  for (const { templateId, before } of newer.reverse()) {
    if (before === null) then.delete(templateId);
    else then.set(templateId, { ...(then.get(templateId) ?? lost(templateId, account)), ...before });
  }
  return [...then.values()];
}

function lost(
  id: string,
  account: string,
): Omit<StoredTemplate, "alias_name" | "address_type" | "default" | "address"> {
  return { id, account, createdAtMs: 0, updatedAtMs: 0, verifications: [], createdFrom: null };
}
