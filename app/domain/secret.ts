/** Marks a `Secret` of any bundle's copy of this module. */
const BRAND = Symbol.for("origen.secret");

/** A value that no log, error, JSON or template shows: it prints as `[redacted]` and comes out only through `reveal`. */
export class Secret {
  readonly #value: string;

  constructor(value: string) {
    this.#value = value;
  }

  /** The value itself, for the one call that needs it. */
  reveal(): string {
    return this.#value;
  }

  toString(): string {
    return "[redacted]";
  }

  toJSON(): string {
    return "[redacted]";
  }

  get [BRAND](): true {
    return true;
  }

  [Symbol.for("nodejs.util.inspect.custom")](): string {
    return "[redacted]";
  }
}

/** True for a `Secret`, across bundles too, where `instanceof` fails. */
export function isSecret(value: unknown): value is Secret {
  return typeof value === "object" && value !== null && BRAND in value;
}
