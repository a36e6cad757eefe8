/** Every write, in order, with the values before and after, so that an overwritten edit can be found. */
export type WriteSource =
  /** A call of a client. */
  | "client"
  /** A call whose answer was lost and whose effect came later. */
  | "late"
  /** A person in the service's own pages. */
  | "person"
  /** The service itself, in consequence of another write. */
  | "service";

export interface TemplateContent {
  alias_name: unknown;
  address_type: unknown;
  default: unknown;
  address: Record<string, unknown>;
}

export interface WriteEntry {
  /** From 1, without gaps. */
  sequence: number;
  /** Epoch ms. */
  atMs: number;
  source: WriteSource;
  account: string;
  /** `environment:clientId`; null for a person and the service. */
  client: string | null;
  operation: "create" | "update" | "delete" | "verify" | "verdict";
  templateId: string;
  /**
   * For a client's write: the last `sequence` at the client's last reading of the template before this call came. A list counts as a
   * reading, a write's answer does not. 0 when there was no entry yet. Null when the client never read it, and for other writers.
   */
  readAt: number | null;
  payload: unknown;
  before: TemplateContent | null;
  after: TemplateContent | null;
}

export interface WriteLog {
  append(entry: Omit<WriteEntry, "sequence">): void;
  /** A reader, which is a client with one scope, was shown templates. */
  read(reader: string, templateIds: string[]): void;
  /** What was the last sequence number when the reader last read the template; null when it never did. */
  readBy(reader: string, templateId: string): number | null;
  /** Entries after a sequence number, oldest first, as far as they are kept. */
  since(sequence: number): WriteEntry[];
  /** The last sequence number given; more than the entries kept when some were dropped. */
  last(): number;
}

export function createWriteLog(limit: number): WriteLog {
  let entries: WriteEntry[] = [];
  let last = 0;
  const readings = new Map<string, number>();
  const keyOf = (reader: string, templateId: string) => `${reader} ${templateId}`;
  return {
    read(reader, templateIds) {
      for (const id of templateIds) readings.set(keyOf(reader, id), last);
    },
    readBy: (reader, templateId) => readings.get(keyOf(reader, templateId)) ?? null,
    append(entry) {
      entries.push({ sequence: ++last, ...entry });
      if (entries.length > limit * 2) entries = entries.slice(-limit);
    },
    since: (sequence) => entries.slice(-limit).filter((entry) => entry.sequence > sequence),
    last: () => last,
  };
}
