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

  /** One that is there and that no key opens; it stays as it is until it is written anew. */
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

/** What it holds; null for none, and for one that no key opens. */
export function revealed(secret: Secret | null): string | null {
  return secret?.readable ? secret.reveal() : null;
}
