import { createHmac, type KeyObject } from "node:crypto";
import { open, readFile } from "node:fs/promises";
import { AppError } from "../../../domain/errors.ts";
import type { Keyring } from "../encryption.ts";

/**
 * A file outside the database that says which shops were erased, so that an older copy that is put back does not bring them back for good.
 * A shop stands in it only as a hash under a key of `APP_KEYS`: whoever has the file alone cannot tell, or try, which shop it was.
 */
export interface ErasureLog {
  /** To be called before the rows go. The line is on the disk when it resolves. @throws an `AppError` when it cannot be written. */
  erased(shop: string): Promise<void>;
  /** The rows did not go after all. */
  kept(shop: string): Promise<void>;
}

interface Line {
  /** UTC, as ISO 8601. */
  at: string;
  what: "erased" | "kept";
  /** The id of the key under which the shop was hashed. */
  key: string;
  shop: string;
}

/** Read and written by the app's own user alone. */
const PRIVATE = 0o600;

/** @throws an `AppError` that says what to do when nothing can be appended to the file. */
export async function openErasureLog(path: string, keyring: Keyring): Promise<ErasureLog> {
  const append = async (text: string) => {
    const file = await open(path, "a", PRIVATE).catch((cause: unknown) => Promise.reject(notWritten(path, cause)));
    try {
      await file.writeFile(text);
      await file.sync();
    } catch (cause) {
      throw notWritten(path, cause);
    } finally {
      await file.close();
    }
  };
  const write = (what: Line["what"], shop: string) => {
    const key = keyring.firstId;
    const line: Line = { at: new Date().toISOString(), what, key, shop: hashed(keyring.keys.get(key)!, shop) };
    // It begins a line even where the one before was cut off.
    return append(`\n${JSON.stringify(line)}\n`);
  };
  await append("");
  return { erased: (shop) => write("erased", shop), kept: (shop) => write("kept", shop) };
}

/** When a shop was erased last, in milliseconds since 1970; null when it never was. */
export type ErasedAtMs = (shop: string) => number | null;

/** @throws an `AppError` that says what to do when a file or one of its lines cannot be read, or was written under a key that is missing. */
export async function readErasureLogs(paths: readonly string[], keyring: Keyring): Promise<ErasedAtMs> {
  const lines: Line[] = [];
  for (const path of paths) {
    const text = await readFile(path, "utf8").catch((cause: unknown) => {
      throw refused(`The log of erasures ${path} cannot be read`, cause);
    });
    for (const [index, line] of text.split("\n").entries())
      if (line !== "") lines.push(parsed(line, `line ${index + 1} of ${path}`));
  }
  const missing = new Set(lines.map(({ key }) => key).filter((key) => !keyring.keys.has(key)));
  if (missing.size > 0)
    throw refused(
      `The log of erasures has lines under the keys ${[...missing].join(", ")}, which APP_KEYS lacks. Put them back after the first one`,
    );
  /** By key and hash. */
  const last = new Map<string, Line>();
  for (const line of lines.sort((a, b) => Date.parse(a.at) - Date.parse(b.at)))
    last.set(`${line.key} ${line.shop}`, line);
  const keys = new Set(lines.map(({ key }) => key));
  return (shop) => {
    const own = [...keys].flatMap((key) => last.get(`${key} ${hashed(keyring.keys.get(key)!, shop)}`) ?? []);
    const latest = own.sort((a, b) => Date.parse(a.at) - Date.parse(b.at)).at(-1);
    return latest?.what === "erased" ? Date.parse(latest.at) : null;
  };
}

function parsed(text: string, place: string): Line {
  try {
    const line = JSON.parse(text) as Partial<Line>;
    const isWhole =
      typeof line.key === "string" && typeof line.shop === "string" && !Number.isNaN(Date.parse(line.at!));
    if (isWhole && (line.what === "erased" || line.what === "kept")) return line as Line;
  } catch {
    // As one of another shape.
  }
  throw refused(`${place} is no erasure. One that was cut off, as by a full disk, erased nothing: take it out`);
}

/** Of this use alone: the same key encrypts secrets. */
function hashed(key: KeyObject, shop: string): string {
  return createHmac("sha256", key).update(`erased shop ${shop}`).digest("base64url");
}

function notWritten(path: string, cause: unknown): AppError {
  const message = `Nothing can be appended to the log of erasures ${path} (ERASURE_LOG). Make its folder, and let the app write there`;
  return new AppError({ kind: "internal", message, cause });
}

function refused(message: string, cause?: unknown): AppError {
  return new AppError({ kind: "internal", message, ...(cause !== undefined && { cause }) });
}
