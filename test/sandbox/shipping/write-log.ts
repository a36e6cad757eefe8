/** What was written, in order, with what stood there before and after: enough to find an edit that was overwritten. */
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
  payload: unknown;
  before: TemplateContent | null;
  after: TemplateContent | null;
}

export interface WriteLog {
  append(entry: Omit<WriteEntry, "sequence">): void;
  /** Entries after a sequence number, oldest first, as far as they are kept. */
  since(sequence: number): WriteEntry[];
  /** The last sequence number given; more than the entries kept when some were dropped. */
  last(): number;
}

export function createWriteLog(limit: number): WriteLog {
  let entries: WriteEntry[] = [];
  let last = 0;
  return {
    append(entry) {
      entries.push({ sequence: ++last, ...entry });
      if (entries.length > limit * 2) entries = entries.slice(-limit);
    },
    since: (sequence) => entries.slice(-limit).filter((entry) => entry.sequence > sequence),
    last: () => last,
  };
}
