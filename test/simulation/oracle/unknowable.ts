import { markerIn } from "../../../app/domain/marker.ts";
import type { ConnectionRecord, TemplateDraft, TemplateRecord } from "../../../app/domain/records.ts";
import type { FakeAccount } from "../../fakes/shipping/account.ts";
import type { ServiceRequest } from "../../fakes/shipping/network.ts";
import type { Accounts } from "../story/accounts.ts";
import type { Weather } from "../story/service-weather.ts";

/** Whether lists were empty for a while, so that nobody may have looked at the book since. */
export function listsWereEmpty({ stuck }: Pick<Weather, "stuck">): boolean {
  return stuck.some(({ how }) => how === "empty");
}

/** While lists are empty, only templates that are known and still there contradict them. */
function listsAreEmpty({ stuck }: Pick<Weather, "stuck">, nowMs: number): boolean {
  return stuck.some(({ how, fromMs, untilMs }) => how === "empty" && nowMs >= fromMs && nowMs < untilMs);
}

interface Given {
  rows: Iterable<Readonly<TemplateRecord>>;
  connections: Iterable<Readonly<ConnectionRecord>>;
  accounts: Accounts;
  weather: Pick<Weather, "stuck">;
  nowMs: number;
}

/** Known for so long that the listing which a create rests on lacks them. */
const SETTLED_MS = 60_000;

/**
 * What a create makes a second time and nobody could know of: the lists are empty, and of what the shop knows of the account so little is
 * still there that eight questions may miss it. Gives the ids of what was made before.
 */
export function unknowable(request: ServiceRequest, { rows, connections, accounts, weather, nowMs }: Given): string[] {
  if (!listsAreEmpty(weather, nowMs)) return [];
  const account = accounts.of(request.clientId, request.environment);
  if (!account) return [];
  const before = madeBefore(account, request);
  if (before.length === 0) return [];
  const current = [...connections].find(({ shop, current }) => shop === request.reader && current);
  const known = [...rows].filter((row) => row.connectionId === current?.id && row.absentSinceMs === null);
  const there = known.filter(({ templateId, aloneAtMs }) => {
    // The row is dated by a process whose clock may be wrong.
    const isSettled = [aloneAtMs ?? 0, account.changedAtMs(templateId)].every((atMs) => nowMs - atMs > SETTLED_MS);
    return isSettled && account.templates.has(templateId);
  });
  return there.length * 2 > known.length ? [] : before;
}

function madeBefore({ templates, madeFor }: FakeAccount, { body }: ServiceRequest): string[] {
  const { alias_name: alias } = body["address_template"] as TemplateDraft;
  const marker = markerIn(alias);
  if (marker !== null) return [...madeFor].flatMap(([id, of]) => (of === marker && templates.has(id) ? [id] : []));
  return [...templates.values()].flatMap(({ id, alias_name }) => (alias_name === alias ? [id] : []));
}
