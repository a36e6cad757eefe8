import { AppError } from "./errors.ts";

/** Marks a `Secret` of any bundle's copy of this module. */
const BRAND = Symbol.for("origen.secret");

/** A value that no log, error, JSON or template shows: it prints as `[redacted]` and comes out only through `reveal`. */
export class Secret {
  readonly #value: string;
  #unreadable: string | null = null;

  constructor(value: string) {
    this.#value = value;
  }

  /** A stored secret that no key decrypts. It stays in the store until a new one replaces it. */
  static unreadable(why: string): Secret {
    const secret = new Secret("");
    secret.#unreadable = why;
    return secret;
  }

  get readable(): boolean {
    return this.#unreadable === null;
  }

  /** The value itself, for the one call that needs it. @throws AppError `internal` when no key opens it. */
  reveal(): string {
    if (this.#unreadable !== null) throw new AppError({ kind: "internal", message: this.#unreadable, effect: "none" });
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

/** The value of a secret; null when there is none, and when no key decrypts it. */
export function revealed(secret: Secret | null): string | null {
  return secret?.readable ? secret.reveal() : null;
}
