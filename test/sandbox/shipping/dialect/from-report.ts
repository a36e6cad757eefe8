/** A dialect as `npm run conformance` saw it: the stand-in then plays the service as it was seen (docs/conformance.md). */
import type { BehaviourChange, TextLimit, ValidationShape } from "./behaviour.ts";

/** What of a report's `seen` this reads. The report's own shape is in scripts/conformance/seen.ts; nothing here trusts it further. */
interface SeenDialect {
  perPageOver?: BehaviourChange["perPageOver"];
  order?: string;
  operations?: { create?: { status: number } };
  unauthorized?: { body: string };
  notFound?: { body: string; code: string | null; skeleton: string | null };
  malformedId?: { status: number };
  refusal?: { status: number; skeleton: string | null };
  partialAddress?: BehaviourChange["partialAddress"];
  aliasAlone?: string;
  text?: Record<string, string>;
  nullText?: string;
  emptyText?: string;
  lengths?: Record<string, { longest: number; over: string; cutTo: number | null }>;
  streetNumber?: string;
  late?: Record<string, number | null>;
  tokenLifetimeS?: number;
  refreshToken?: string;
  tokensAtOnce?: BehaviourChange["tokensAtOnce"];
  revoke?: { status: number; ends: boolean };
  introspect?: { status: number; tells: string[] };
  carriers?: Record<string, string>;
  inventedCarrier?: string;
  updateState?: BehaviourChange["updateState"];
  words?: Record<string, string[]>;
  askedAgain?: string;
  editClearsVerification?: boolean;
  deleteBody?: string;
  moreFields?: string[];
  rateHeaders?: string[];
  idempotencyHeaders?: string[];
}

export interface SeenReport {
  seen: SeenDialect;
}

/** Where the report saw nothing, the stand-in's own choice stays. `timesFaster`: divides the times by which readings are behind. */
export function behaviourFromReport({ seen }: SeenReport, { timesFaster = 1 } = {}): BehaviourChange {
  const said: { [K in keyof BehaviourChange]: BehaviourChange[K] | undefined } = {
    perPageOver: seen.perPageOver,
    order: oneOf(["oldest", "newest", "alias"], seen.order),
    createStatus: oneOf([201, 200], seen.operations?.create?.status),
    unauthorizedShape: oneOf(["json", "html", "empty"], seen.unauthorized?.body),
    notFoundShape: seen.notFound && notFoundShape(seen.notFound),
    malformedId: seen.malformedId && (seen.malformedId.status === 404 ? "not-found" : "refuse"),
    validationStatus: oneOf([422, 400], seen.refusal?.status),
    validationShape: seen.refusal?.skeleton ? validationShape(JSON.parse(seen.refusal.skeleton)) : undefined,
    partialAddress: seen.partialAddress,
    missingAddress:
      seen.aliasAlone === undefined ? undefined : seen.aliasAlone === "empties_address" ? "empty" : "keep",
    trimText: seen.text && seen.text.spaces === "trimmed",
    capitals: seen.text && seen.text.letters === "capitals",
    plainLetters: seen.text && seen.text.accents === "plain_letters",
    omitNulls: seen.nullText === undefined ? undefined : seen.nullText === "absent",
    nullsAs: oneOf(["null", "empty"], seen.nullText === "absent" ? "null" : seen.nullText),
    emptyAs: oneOf(["null", "empty"], seen.emptyText === "absent" ? "null" : seen.emptyText),
    textLimits: seen.lengths && textLimits(seen.lengths),
    streetNumber: seen.streetNumber === "in_street" ? "in-street" : oneOf(["apart", "dropped"], seen.streetNumber),
    getBehindMs: seen.late && behind(seen.late, "_get") / timesFaster,
    listBehindMs: seen.late && behind(seen.late, "_list") / timesFaster,
    tokenLifetimeSeconds: seen.tokenLifetimeS,
    refreshTokens: seen.refreshToken === undefined ? undefined : seen.refreshToken !== "none",
    refreshWorks: oneOf(["once", "often"], seen.refreshToken),
    tokensAtOnce: seen.tokensAtOnce,
    revoke: seen.revoke && (seen.revoke.ends ? "ends" : seen.revoke.status === 403 ? "forbidden" : "lives-on"),
    introspect: seen.introspect && introspection(seen.introspect),
    updateState: seen.updateState,
    addressEditClearsVerification: seen.editClearsVerification,
    deleteBody: oneOf(["empty", "object", "data"], seen.deleteBody),
    unknownFields: seen.moreFields && seen.moreFields.length > 0,
    moreHeaders: seen.rateHeaders && headers([...seen.rateHeaders, ...(seen.idempotencyHeaders ?? [])]),
    verification: verification(seen),
  };
  return Object.fromEntries(Object.entries(said).filter(([, value]) => value !== undefined));
}

function oneOf<const T>(choices: readonly T[], value: unknown): T | undefined {
  return choices.find((choice) => choice === value);
}

function notFoundShape({ body, skeleton }: NonNullable<SeenDialect["notFound"]>) {
  if (body !== "json") return "html";
  return skeleton?.includes('"message"') ? "message" : "error";
}

/** The shape whose skeleton this is. */
function validationShape(body: Record<string, unknown>): ValidationShape {
  const errors = body["errors"];
  if (typeof errors === "string") return "errors-text";
  if (Array.isArray(errors)) return "errors-list";
  if (typeof errors === "object" && errors !== null) {
    const template = (errors as Record<string, unknown>)["address_template"];
    if (template === undefined)
      return Object.keys(errors).some((name) => name.includes(".")) ? "errors-dotted" : "errors-field";
    return "address_attributes" in (template as object) ? "errors-address-field" : "errors-template-field";
  }
  if ("success" in body) return "success-false";
  if (body["error"] === "text") return "error-code";
  return body["message"] === "text" ? "message" : "bare-field";
}

function textLimits(lengths: NonNullable<SeenDialect["lengths"]>): Record<string, TextLimit> {
  return Object.fromEntries(
    Object.entries(lengths).flatMap(([field, { over, longest, cutTo }]): [string, TextLimit][] => {
      if (over === "cut" && cutTo !== null) return [[field, { length: cutTo, over }]];
      return over === "refused" ? [[field, { length: longest, over: "refuse" }]] : [];
    }),
  );
}

/** What never appeared was at least as late as a run waits. */
const NEVER_MS = 120_000;

function behind(late: Record<string, number | null>, end: string): number {
  return Math.max(0, ...Object.entries(late).flatMap(([what, ms]) => (what.endsWith(end) ? [ms ?? NEVER_MS] : [])));
}

function introspection({ status, tells }: NonNullable<SeenDialect["introspect"]>) {
  if (status !== 200) return "absent";
  return tells.length > 1 ? "full" : "bare";
}

function headers(names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.filter((name) => name !== "retry-after").map((name) => [name, "1"]));
}

const NOT_ENABLED = "CARRIER_VERIFICATION_NOT_ENABLED";

function verification({ carriers, inventedCarrier, words, askedAgain }: SeenDialect): BehaviourChange["verification"] {
  if (!carriers) return undefined;
  const named = (fate: string) => Object.keys(carriers).filter((carrier) => carriers[carrier] === fate);
  const told = Object.entries(words ?? {}).filter(([, each]) => each.length >= 3);
  const [first, second] = told[0]?.[1] ?? [];
  return {
    knownCarriers: inventedCarrier === "takes" ? null : [...named("takes"), ...named(NOT_ENABLED)],
    unsupportedCarriers: named(NOT_ENABLED),
    ...(first && second && { stageWords: [first, second] }),
    verdicts: Object.fromEntries(told.map(([carrier, each]) => [carrier, each.at(-1)!])),
    ...(askedAgain && { repeat: askedAgain === "same_entry" ? "keep" : "restart" }),
  };
}
