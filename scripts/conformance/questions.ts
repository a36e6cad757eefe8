import { isKnownWord, MOST_REPORTED_LATENESS_MS } from "./proposals.ts";
import type { LateCase, Length, Seen, Shape } from "./seen.ts";

/**
 * The table: for each question of docs/shipping-interface.md what is assumed, what was seen, whether that agrees, and what to set or to
 * know where it does not. A row without an answer says so.
 *
 * Long, because one page shows every question that is asked.
 */
export interface Question<K extends keyof Seen = keyof Seen> {
  key: K;
  clause: string;
  asks: string;
  assumed: string;
  say(value: NonNullable<Seen[K]>): string;
  agrees(value: NonNullable<Seen[K]>): boolean;
  /** Where it does not agree. */
  set(value: NonNullable<Seen[K]>): string;
}

const question = <K extends keyof Seen>(one: Question<K>): Question => one as unknown as Question;

const NOTHING = "nothing: the app bears it";
const shape = ({ status, body, code, skeleton }: Shape) =>
  `${status}, ${code ?? (skeleton && skeleton.length <= 90 ? skeleton : body)}`;
const list = (words: readonly string[]) => (words.length === 0 ? "none" : words.join(", "));
const pairs = (record: Record<string, string>) =>
  Object.entries(record)
    .map(([name, word]) => `${name}: ${word}`)
    .join(", ");
const lengthOf = ({ longest, over, cutTo }: Length) =>
  over === "kept" ? `${longest} kept` : over === "cut" ? `cut to ${cutTo}` : `refused above ${longest}`;
const GOOD = new Map(
  Object.entries({
    list: 200,
    get: 200,
    create: 201,
    update: 200,
    delete: 200,
    verify_by_carriers: 202,
    token: 200,
    revoke: 200,
    introspect: 200,
  }),
);

export const QUESTIONS: readonly Question[] = [
  question({
    key: "operations",
    clause: "4",
    asks: "the nine operations",
    assumed: "200, for a create 201, for carriers 202; each answer can be read",
    say: (value) =>
      Object.entries(value)
        .map(([name, { status, isRead }]) => `${name} ${status}${isRead ? "" : " (not read)"}`)
        .join(", "),
    agrees: (value) => Object.entries(value).every(([name, { status, isRead }]) => isRead && status === GOOD.get(name)),
    set: (value) =>
      Object.values(value).every(({ isRead }) => isRead)
        ? NOTHING
        : "an answer that cannot be read is a defect of the app: tell its makers",
  }),
  question({
    key: "perPageOver",
    clause: "4.1",
    asks: "per_page above 20",
    assumed: "never asked for",
    say: (value) =>
      ({ cap: "answered with at most 20", reject: "refused", allow: "answered with more than 20" })[value],
    agrees: () => true,
    set: () => NOTHING,
  }),
  question({
    key: "order",
    clause: "4.1",
    asks: "the list's order",
    assumed: "any; it may change between pages",
    say: (value) =>
      ({
        oldest: "oldest first",
        newest: "newest first",
        alias: "by name",
        last_changed: "changes with each change",
        other: "none of those known",
      })[value],
    agrees: () => true,
    set: () => NOTHING,
  }),
  question({
    key: "unauthorized",
    clause: "5",
    asks: "a token that is not good",
    assumed: "401, in any form",
    say: shape,
    agrees: ({ status }) => status === 401,
    set: () => "the app renews a token at 401 alone: tell its makers",
  }),
  question({
    key: "notFound",
    clause: "4.2",
    asks: "an id that no template has",
    assumed: "404, in any form",
    say: shape,
    agrees: ({ status }) => status === 404,
    set: () => "the app believes an absence at 404 alone: tell its makers",
  }),
  question({
    key: "malformedId",
    clause: "4.2",
    asks: "an id without an id's form",
    assumed: "404",
    say: shape,
    agrees: ({ status }) => status === 404,
    set: () => "nothing: the app sends only ids that the service gave",
  }),
  question({
    key: "refusal",
    clause: "7",
    asks: "an address that is refused",
    assumed: "422 or 400 that names the field",
    say: (value) => `${shape(value)}${value.namesField ? "" : " (no field could be read)"}`,
    agrees: ({ status, namesField }) => (status === 422 || status === 400) && namesField,
    set: () => "nothing: the words are shown above the form, not beside the field",
  }),
  question({
    key: "wrongSecret",
    clause: "4.7",
    asks: "a wrong secret",
    assumed: "401, a token error",
    say: shape,
    agrees: ({ status, code }) => status === 401 && code !== null,
    set: () => "a wrong secret is shown as a fault of the service: tell the app's makers",
  }),
  question({
    key: "tooMany",
    clause: "8",
    asks: "429",
    assumed: "never, at two requests a second; Retry-After in any form",
    say: (value) => `${shape(value)}, Retry-After ${value.retryAfter}`,
    agrees: () => false,
    set: () => "the service counts otherwise than two a second and client: ask its makers",
  }),
  question({
    key: "partialAddress",
    clause: "4.4",
    asks: "address fields that a PATCH does not name",
    assumed: "are kept",
    say: (value) => ({ merge: "are kept", replace: "are emptied", reject: "the PATCH is refused" })[value],
    agrees: (value) => value === "merge",
    set: (value) =>
      value === "reject"
        ? "the app cannot change single fields here: tell its makers"
        : "nothing: the app learns it at the first change",
  }),
  question({
    key: "aliasAlone",
    clause: "4.4",
    asks: "a PATCH of the name alone",
    assumed: "keeps the address",
    say: (value) => ({ keeps_address: "keeps it", empties_address: "empties it", reject: "is refused" })[value],
    agrees: (value) => value === "keeps_address",
    set: () => "nothing: the app learns it at the first change",
  }),
  question({
    key: "text",
    clause: "2.2",
    asks: "accents, quotation marks, spaces, capitals",
    assumed: "come back as sent, trimmed or in capitals",
    say: (value) => pairs(value),
    agrees: (value) =>
      Object.values(value).every((fate) => fate === "same" || fate === "trimmed" || fate === "capitals"),
    set: () => "the app would show these fields as changed by somebody: tell its makers",
  }),
  question({
    key: "nullText",
    clause: "2.2",
    asks: "null of a field that may be null",
    assumed: "null, empty or left out",
    say: (value) => value,
    agrees: (value) => value !== "refused" && value !== "other",
    set: () => NOTHING,
  }),
  question({
    key: "emptyText",
    clause: "2.2",
    asks: "an empty text",
    assumed: "null, empty or left out",
    say: (value) => value,
    agrees: (value) => value !== "refused" && value !== "other",
    set: () => NOTHING,
  }),
  question({
    key: "lengths",
    clause: "2.2",
    asks: "lengths 30, 35, 45, 100, 255",
    assumed: "the service judges them",
    say: (value) =>
      pairs(Object.fromEntries(Object.entries(value).map(([field, length]) => [field, lengthOf(length)]))),
    agrees: (value) => Object.values(value).every(({ over }) => over !== "cut"),
    set: (value) =>
      value.alias_name?.over === "cut"
        ? `names: nothing to set, the app learns ${value.alias_name.cutTo} at the first one and keeps its marker whole`
        : "a text that is cut is shown as changed by somebody: keep these fields short",
  }),
  question({
    key: "streetNumber",
    clause: "2.2",
    asks: "the street's number apart from the street",
    assumed: "is kept apart",
    say: (value) =>
      ({
        apart: "is kept apart",
        in_street: "is moved into the street",
        dropped: "is lost",
        other: "is altered",
      })[value],
    agrees: (value) => value === "apart",
    set: () => "numbers would be shown as changed by somebody, or be missing on labels: tell the app's makers",
  }),
  question({
    key: "late",
    clause: "4.1",
    asks: "how late a write appears",
    assumed: "within 60 s in a GET, within 30 s in a list",
    say: (value) =>
      Object.entries(value)
        .map(([what, ms]) => `${what.replace("_", " in ")} ${lateWord(ms)}`)
        .join(", "),
    agrees: (value) =>
      Object.entries(value).every(
        ([what, ms]) => ms !== null && ms * 2 <= (isList(what as LateCase) ? 30_000 : 60_000),
      ),
    set: (value) =>
      Object.values(value).includes(null)
        ? "do not go live: what is written never appears, or later than was waited"
        : "the times below",
  }),
  question({
    key: "tokenLifetimeS",
    clause: "2.5",
    asks: "a token's life",
    assumed: "7200 s",
    say: (value) => `${value} s`,
    agrees: (value) => value === 7200,
    set: (value) =>
      `nothing: a token is renewed ${Math.round(Math.min(300, value * 0.2))} s before its end, by the app's own rule`,
  }),
  question({
    key: "refreshToken",
    clause: "4.7",
    asks: "a refresh token",
    assumed: "there or not",
    say: (value) =>
      ({ none: "none", once: "works once", often: "works each time", refused: "is there, and refused" })[value],
    agrees: (value) => value !== "refused",
    set: () => "nothing: the app then asks by its credentials, at one call more",
  }),
  question({
    key: "tokensAtOnce",
    clause: "5",
    asks: "two tokens at once",
    assumed: "live side by side",
    say: (value) =>
      ({ all: "live side by side", last: "the newer ends the older", same: "are one token, given out again" })[value],
    agrees: (value) => value !== "last",
    set: () => "give each shop a client id of its own, used by nothing else: others' tokens would end the app's",
  }),
  question({
    key: "revoke",
    clause: "4.8",
    asks: "a revoked token",
    assumed: "200, and it ends",
    say: ({ status, ends }) => `${status}, ${ends ? "it ends" : "it lives on"}`,
    agrees: ({ status, ends }) => status === 200 && ends,
    set: () => "nothing to set: after a disconnect a token lives until its end; docs/data.md says so to owners",
  }),
  question({
    key: "introspect",
    clause: "4.9",
    asks: "introspection",
    assumed: "200 with `active`",
    say: ({ status, tells, tellsEnd }) =>
      `${status}, ${list(tells)}${tellsEnd === null ? "" : tellsEnd ? ", right after a revoke" : ", wrong after a revoke"}`,
    agrees: ({ status, tells, tellsEnd }) => status === 200 && tells.includes("active") && tellsEnd !== false,
    set: () => "nothing: the app asks it only where an owner tests the connection",
  }),
  question({
    key: "carriers",
    clause: "4.6",
    asks: "carriers",
    assumed: "each is asked alone; some do not verify",
    say: (value) => pairs(value),
    agrees: (value) => Object.values(value).every((fate) => fate === "takes" || /^[A-Z_]+$/.test(fate)),
    set: () => "leave out, in the shop's settings, the carriers that the service does not know",
  }),
  question({
    key: "inventedCarrier",
    clause: "4.6",
    asks: "a carrier that nobody knows",
    assumed: "is refused",
    say: (value) => (value === "takes" ? "is taken like any other" : value),
    agrees: (value) => value !== "takes" && value !== "no answer",
    set: () => "a mistyped carrier is not noticed by the service: choose from those that answered",
  }),
  question({
    key: "words",
    clause: "2.3",
    asks: "the words of `status`",
    assumed: "those of VERIFICATION_STATUS_TABLE",
    say: (value) =>
      Object.entries(value)
        .map(([carrier, words]) => `${carrier}: ${words.join(" → ")}`)
        .join(", ") || "none",
    agrees: (value) => Object.values(value).every((words) => words.every(isKnownWord)),
    set: () => "the table below; a word that is not in it is quoted and never counts as accepted",
  }),
  question({
    key: "updateState",
    clause: "2.3",
    asks: "`update_state`",
    assumed: "there, null or left out",
    say: (value) => value,
    agrees: () => true,
    set: () => NOTHING,
  }),
  question({
    key: "askedAgain",
    clause: "4.6",
    asks: "a carrier that is asked again",
    assumed: "a new entry, or the same",
    say: (value) => (value === "same_entry" ? "the same entry" : "a new entry"),
    agrees: () => true,
    set: () => NOTHING,
  }),
  question({
    key: "editClearsVerification",
    clause: "4.6",
    asks: "an edit of a verified address",
    assumed: "may take its verdicts",
    say: (value) => (value ? "takes them" : "leaves them"),
    agrees: () => true,
    set: () => NOTHING,
  }),
  question({
    key: "deleteBody",
    clause: "4.5",
    asks: "the body of a deletion's answer",
    assumed: "is not read",
    say: (value) => value,
    agrees: () => true,
    set: () => NOTHING,
  }),
  question({
    key: "moreFields",
    clause: "2.1",
    asks: "fields that the interface does not have",
    assumed: "are not read",
    say: list,
    agrees: () => true,
    set: () => NOTHING,
  }),
  question({
    key: "rateHeaders",
    clause: "8",
    asks: "headers that tell of the rate",
    assumed: "none",
    say: list,
    agrees: (names) => names.length === 0,
    set: () => "nothing: the app keeps the rate by itself; tell its makers which",
  }),
  question({
    key: "idempotencyHeaders",
    clause: "4.3",
    asks: "headers of idempotent creates",
    assumed: "none",
    say: list,
    agrees: (names) => names.length === 0,
    set: () => "nothing: but a create could be simpler; tell the app's makers",
  }),
];

function isList(what: LateCase): boolean {
  return what.endsWith("_list");
}

function lateWord(ms: number | null): string {
  if (ms === null) return `not within ${MOST_REPORTED_LATENESS_MS / 1_000} s`;
  return ms === 0 ? "at once" : `${(ms / 1_000).toFixed(1)} s`;
}
