import type { Operation } from "../../app/adapters/shipping/retry.ts";

/**
 * What one service was seen to do, as data: no secrets, no ids, no words of the account. A stand-in can be set from it. A question that
 * got no answer is absent.
 */
export interface Seen {
  /** The status of each operation's good answer, and whether the adapter could read it. */
  operations?: Partial<Record<Operation, { status: number; isRead: boolean }>>;
  /** More than 20 asked of a page. */
  perPageOver?: "cap" | "reject" | "allow";
  order?: "oldest" | "newest" | "alias" | "last_changed" | "other";
  unauthorized?: Shape;
  notFound?: Shape;
  /** An id that has not an id's form. */
  malformedId?: Shape;
  refusal?: Shape & { namesField: boolean };
  wrongSecret?: Shape;
  /** Only if a 429 came. */
  tooMany?: Shape & { retryAfter: "seconds" | "date" | "absent" };
  /** What became of fields that a PATCH did not name. */
  partialAddress?: "merge" | "replace" | "reject";
  aliasAlone?: "keeps_address" | "empties_address" | "reject";
  text?: Record<TextCase, TextFate>;
  nullText?: Emptiness;
  emptyText?: Emptiness;
  lengths?: Partial<Record<LengthField, Length>>;
  streetNumber?: "apart" | "in_street" | "dropped" | "other";
  /** Milliseconds after the write's answer; null: not within the time that was waited. */
  late?: Partial<Record<LateCase, number | null>>;
  tokenLifetimeS?: number;
  refreshToken?: "none" | "once" | "often" | "refused";
  tokensAtOnce?: "all" | "last" | "same";
  revoke?: { status: number; ends: boolean };
  introspect?: { status: number; tells: string[]; tellsEnd: boolean | null };
  /** By carrier: `takes`, or the refusal's code or status. The last is a carrier that nobody has heard of. */
  carriers?: Record<string, string>;
  inventedCarrier?: string;
  updateState?: "present" | "null" | "absent";
  /** By carrier, the words of `status` in the order in which they were seen. */
  words?: Record<string, string[]>;
  updateWords?: string[];
  askedAgain?: "same_entry" | "new_entry";
  editClearsVerification?: boolean;
  deleteBody?: "empty" | "object" | "data" | "other";
  /** Names of fields that the interface does not have. */
  moreFields?: string[];
  rateHeaders?: string[];
  idempotencyHeaders?: string[];
}

export type TextCase = "accents" | "quotes" | "spaces" | "letters";
export type TextFate = "same" | "trimmed" | "capitals" | "plain_letters" | "empty" | "refused" | "other";
export type Emptiness = "null" | "empty" | "absent" | "refused" | "other";
export const LENGTHS = [30, 35, 45, 100, 255] as const;
export const LENGTH_FIELDS = ["alias_name", "name", "company", "street1", "area_level3", "reference"] as const;
export type LengthField = (typeof LENGTH_FIELDS)[number];
export type LateCase = "created_get" | "created_list" | "changed_get" | "changed_list" | "deleted_get" | "deleted_list";

/** `longest`: of the lengths tried, the longest that came back whole. `over`: what became of the next one. */
export interface Length {
  longest: number;
  over: "kept" | "cut" | "refused";
  /** Where a longer text is cut: to how many characters. */
  cutTo: number | null;
}

/** An answer's form, with types in place of its words. */
export interface Shape {
  status: number;
  body: "json" | "html" | "text" | "empty";
  /** The skeleton of a JSON body, such as `{"errors":{"phone":["text"]}}`. */
  skeleton: string | null;
  /** A code such as `invalid_client`. */
  code: string | null;
}
