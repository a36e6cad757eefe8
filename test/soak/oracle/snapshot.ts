import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { databasePath } from "../../../app/adapters/store/libsql.ts";
import { isPostgres } from "../../../app/adapters/store/postgresql/is-postgres.ts";
import { parseKeys } from "../../../app/adapters/store/encryption.ts";
import { createStore } from "../../../app/adapters/store/store.ts";
import type {
  ConnectionRecord,
  DetailsRecord,
  DraftRecord,
  LinkRecord,
  LocationRecord,
  ShopRecord,
  WorkItem,
  VerificationRecord,
} from "../../../app/domain/records.ts";

/** The app's stored rows of one shop, read while the app runs or after it ended. */
export interface Snapshot {
  shop: ShopRecord;
  connection: ConnectionRecord | null;
  locations: LocationRecord[];
  details: DetailsRecord[];
  links: LinkRecord[];
  workItems: WorkItem[];
  verifications: VerificationRecord[];
  drafts: DraftRecord[];
}

const SILENT = { info: () => undefined, warn: () => undefined, error: () => undefined };

/**
 * Snapshots by shop, without shops that the app does not know. The app must not wait for a reader: SQLite's are read from a copy of the
 * database by a reader that takes no lock, and PostgreSQL's readers hold nobody up.
 */
export async function readSnapshots(
  { url, keys }: { url: string; keys: string },
  shops: readonly string[],
): Promise<Map<string, Snapshot>> {
  if (isPostgres(url)) return readStore({ url, keys }, shops);
  const folder = mkdtempSync(join(tmpdir(), "origen-look-"));
  const copy = join(folder, "copy.db");
  const source = new DatabaseSync(databasePath(url)!, { readOnly: true });
  try {
    source.exec(`VACUUM INTO '${copy}'`);
    return await readStore({ url: `file:${copy}`, keys }, shops);
  } finally {
    source.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function readStore(
  { url, keys }: { url: string; keys: string },
  shops: readonly string[],
): Promise<Map<string, Snapshot>> {
  const store = await createStore({ url, keys: parseKeys(keys), log: SILENT, exclusive: false });
  try {
    const found = new Map<string, Snapshot>();
    for (const name of shops) {
      const where = { shop: name };
      const shop = await store.shops.find(where);
      if (!shop) continue;
      const connection = await store.connections.find({ ...where, current: true });
      found.set(name, {
        shop,
        connection,
        locations: await store.locations.list(where),
        details: await store.details.list(where),
        links: connection ? await store.links.list({ ...where, connectionId: connection.id }) : [],
        workItems: await store.workItems.list(where),
        verifications: connection ? await store.verifications.list({ ...where, connectionId: connection.id }) : [],
        drafts: await store.drafts.list(where),
      });
    }
    return found;
  } finally {
    await store.close();
  }
}
