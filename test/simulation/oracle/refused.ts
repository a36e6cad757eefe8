import type { StoredChange } from "../../fakes/memory-store.ts";
import type { Known } from "../people/stage.ts";

/** Connections that the app calls refused by the service, although the service takes their secrets. */
export function refusedInVain(changes: readonly StoredChange[], { revoked }: Pick<Known, "revoked">): string[] {
  return changes.flatMap(({ table, before, after }) => {
    if (table !== "connections" || after?.state !== "invalid" || before?.state === "invalid") return [];
    const secret = after.clientSecret?.reveal();
    if (secret === undefined || revoked.has(secret)) return [];
    return [`the service is said to refuse the secret of ${after.clientId} of ${after.shop}, and it takes it`];
  });
}
