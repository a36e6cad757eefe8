import { ask } from "./channel.ts";

const SPARE_MS = 5_000;

let held: { token: string; expiresAtMs: number } | null = null;

/** A session token with some life left; one is reused until it is about to expire. */
export async function idToken(options: { fresh?: boolean } = {}): Promise<string> {
  if (held && !options.fresh && held.expiresAtMs - SPARE_MS > Date.now()) return held.token;
  const token = await ask<string>("idToken");
  const claims = JSON.parse(atob((token.split(".")[1] ?? "").replaceAll("-", "+").replaceAll("_", "/"))) as {
    exp: number;
  };
  held = { token, expiresAtMs: claims.exp * 1000 };
  return token;
}
