/** Every choice of the stand-in where the interface leaves one: its dialect. README.md explains each. */

export const VALIDATION_SHAPES = [
  "errors-template-field",
  "errors-address-field",
  "errors-field",
  "errors-dotted",
  "bare-field",
  "errors-text",
  "errors-list",
  "error-code",
  "success-false",
  "message",
] as const;
export type ValidationShape = (typeof VALIDATION_SHAPES)[number];

export interface VerificationBehaviour {
  /** Time spent in each stage (`stageWords`), in ms, drawn from this range. */
  stepMs: [number, number];
  /** What stands there before the verdict. */
  stageWords: [string, string];
  /** Carriers that the service knows; it refuses others with `CARRIER_NOT_FOUND`. Null: any. */
  knownCarriers: string[] | null;
  acceptedWords: string[];
  refusedWords: string[];
  /** Words that mean neither. */
  otherWords: string[];
  /** Shares of the verdicts, 0 to 1; the rest are accepted. */
  refusedShare: number;
  otherShare: number;
  /** The word a carrier will answer, whatever the draw. */
  verdicts: Record<string, string>;
  /** Carriers without verification: 422 for the whole call. */
  unsupportedCarriers: string[];
  /** Whether asking again starts anew, or leaves an entry that has its verdict as it is. */
  repeat: "restart" | "keep";
}

export interface TextLimit {
  length: number;
  over: "cut" | "refuse";
}

/** Every choice the interface leaves open. `seed` means: drawn for each call. */
export interface Behaviour {
  /** Requests a client may make in any sliding second. */
  rateLimit: number;
  /** False: arrivals over the limit are counted and served. */
  enforceRate: boolean;
  retryAfter: "seconds" | "date" | "absent" | "seed";
  /** Seconds named by a 429, drawn from this range. */
  retryAfterSeconds: [number, number];
  tokenLifetimeSeconds: number;
  refreshTokens: boolean;
  /** Whether a refresh token works once or as often as it is sent. */
  refreshWorks: "once" | "often";
  /** Whether earlier access tokens live on beside a new one, end with it, or are given out again. */
  tokensAtOnce: "all" | "last" | "same";
  /** Whether a revoked token ends, lives on, or may not be revoked (403). */
  revoke: "ends" | "lives-on" | "forbidden";
  introspect: "full" | "bare" | "absent";
  /** More headers of every answer, such as those that tell of a rate. */
  moreHeaders: Record<string, string>;
  /** Added to `created_at`, in seconds; the reply of a clock that is off, and may be fractional. */
  createdAtSkewSeconds: number;
  /** Whether a token that was given `read` alone is refused on writes. */
  enforceScopes: boolean;
  perPageOver: "cap" | "reject" | "allow";
  order: "oldest" | "newest" | "alias";
  /** What a list, or a template's own GET, shows: the book as it was so many milliseconds ago. */
  listBehindMs: number;
  getBehindMs: number;
  /** The answer to an id that has not an id's form. */
  malformedId: "not-found" | "refuse";
  /** Status of refusals; `seed`: 422, or at times 400. */
  validationStatus: 422 | 400 | "seed";
  createStatus: 201 | 200;
  validationShape: ValidationShape | "seed";
  notFoundShape: "message" | "error" | "html" | "seed";
  unauthorizedShape: "json" | "html" | "empty" | "seed";
  deleteBody: "empty" | "object" | "data" | "seed";
  updateState: "present" | "null" | "absent";
  /** True: nullable fields without a value are left out of replies. */
  omitNulls: boolean;
  /** Fields the interface does not know, in every reply. */
  unknownFields: boolean;
  /** What happens to address fields that the interface does not name. */
  unknownAddressFields: "drop" | "keep";
  /** Known address fields that are silently not kept. */
  dropFields: string[];
  /** Trims text and folds runs of white space. */
  trimText: boolean;
  /** Longest text accepted, in characters; null: any. */
  longestText: number | null;
  /** By field, also `alias_name`: how many characters are kept, and whether a longer text is cut or refused. */
  textLimits: Record<string, TextLimit>;
  /** Text is kept in capitals, or without accents. */
  capitals: boolean;
  plainLetters: boolean;
  /** How a null of a nullable field, and a text without characters, is kept. */
  nullsAs: "null" | "empty";
  emptyAs: "empty" | "null";
  /** Where the number of a house is kept: apart, at the end of `street1`, or nowhere. */
  streetNumber: "apart" | "in-street" | "dropped";
  /** What a PATCH with some address fields does to the rest: keep them, blank them, or refuse the call. */
  partialAddress: "merge" | "replace" | "reject";
  /** What a PATCH without any address does to it. */
  missingAddress: "keep" | "empty";
  addressEditClearsVerification: boolean;
  /** Making one template the default takes it from the account's others. */
  singleDefault: boolean;
  /** User agents that the edge answers with HTML 403, as the source of a pattern without regard to case; null: none. */
  blockedUserAgents: string | null;
  verification: VerificationBehaviour;
}

export interface BehaviourChange extends Partial<Omit<Behaviour, "verification">> {
  verification?: Partial<VerificationBehaviour>;
}

export const DEFAULT_BEHAVIOUR: Behaviour = {
  rateLimit: 2,
  enforceRate: true,
  retryAfter: "seed",
  retryAfterSeconds: [1, 3],
  tokenLifetimeSeconds: 7200,
  refreshTokens: false,
  refreshWorks: "once",
  tokensAtOnce: "all",
  revoke: "ends",
  introspect: "full",
  moreHeaders: {},
  createdAtSkewSeconds: 0,
  enforceScopes: true,
  perPageOver: "cap",
  order: "oldest",
  listBehindMs: 0,
  getBehindMs: 0,
  malformedId: "not-found",
  validationStatus: "seed",
  createStatus: 201,
  validationShape: "seed",
  notFoundShape: "seed",
  unauthorizedShape: "seed",
  deleteBody: "seed",
  updateState: "present",
  omitNulls: false,
  unknownFields: true,
  unknownAddressFields: "drop",
  dropFields: [],
  trimText: false,
  longestText: null,
  textLimits: {},
  capitals: false,
  plainLetters: false,
  nullsAs: "null",
  emptyAs: "empty",
  streetNumber: "apart",
  partialAddress: "merge",
  missingAddress: "keep",
  addressEditClearsVerification: false,
  singleDefault: true,
  blockedUserAgents: "^$|^(node|undici|node-fetch|axios|got|curl|wget|python|okhttp|java|ruby|go-http-client)\\b",
  verification: {
    stepMs: [400, 1500],
    stageWords: ["pending_to_send", "process"],
    knownCarriers: null,
    acceptedWords: ["verified", "approved"],
    refusedWords: ["rejected", "not_verified"],
    otherWords: ["under_observation"],
    refusedShare: 0.15,
    otherShare: 0.05,
    verdicts: {},
    unsupportedCarriers: ["ampm", "ninetynineminutes"],
    repeat: "restart",
  },
};
