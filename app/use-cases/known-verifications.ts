import type { VerificationRecord } from "../domain/records.ts";
import type { Store } from "../ports.ts";
import { rememberReading } from "./remember-reading.ts";

/**
 * What all carriers say of a connection's templates, by template. Three rows a location are most of what a list of a thousand reads,
 * and they change seldom, whatever else of the shop does. Shared, so it is only to be read.
 */
export function knownVerifications(
  { store }: { store: Store },
  where: { shop: string; connectionId: string },
): Promise<Map<string, VerificationRecord[]>> {
  const { shop, connectionId: which } = where;
  return rememberReading({ store, shop, what: "verifications", which, table: "verifications" }, async () =>
    Map.groupBy(await store.verifications.list(where), (record) => record.templateId),
  );
}
