import { createHmac, timingSafeEqual } from "node:crypto";
import { z } from "zod";
import { isStoreDomain } from "../../domain/store-domain.ts";

/** Why a session token is not believed. */
export type TokenFault = "malformed" | "signature" | "audience" | "issuer" | "another_shop" | "not_yet" | "expired";

/** As much as Shopify's package allows. */
const TOLERANCE_SECONDS = 10;

const algorithm = z.object({ alg: z.literal("HS256") });
const claims = z.object({
  iss: z.string(),
  dest: z.string(),
  aud: z.string(),
  exp: z.number(),
  nbf: z.number(),
});

/** A document's request has the session token in its URL, any other request in a header. Read as Shopify's package reads it. */
export function sessionTokenOf(request: Request): string | null {
  const inHeader = request.headers.get("Authorization")?.replace("Bearer ", "");
  return inHeader || new URL(request.url).searchParams.get("id_token");
}

/**
 * What is wrong with the session token of a request; null where nothing is, or there is none. Shopify's package refuses most of it by
 * itself and does not say why. It does not look at the issuer, nor whether an address that names a shop carries that shop's token.
 */
export function tokenFault(
  request: Request,
  { apiKey, apiSecret, nowMs }: { apiKey: string; apiSecret: string; nowMs: number },
): TokenFault | null {
  const token = sessionTokenOf(request);
  if (token === null) return null;
  const [head, body, signature, more] = token.split(".");
  if (!head || !body || !signature || more !== undefined) return "malformed";
  if (!algorithm.safeParse(decoded(head)).success) return "malformed";
  if (!isSigned({ text: `${head}.${body}`, signature, apiSecret })) return "signature";
  const said = claims.safeParse(decoded(body));
  if (!said.success) return "malformed";
  const { iss, dest, aud, exp, nbf } = said.data;
  const [shop, issuer] = [hostOf(dest), hostOf(iss)];
  if (aud !== apiKey) return "audience";
  if (!isStoreDomain(shop) || issuer !== shop) return "issuer";
  const named = new URL(request.url).searchParams.get("shop");
  if (named !== null && named.toLowerCase() !== shop) return "another_shop";
  if (nbf * 1_000 > nowMs + TOLERANCE_SECONDS * 1_000) return "not_yet";
  return exp * 1_000 <= nowMs - TOLERANCE_SECONDS * 1_000 ? "expired" : null;
}

function hostOf(address: string): string | null {
  const url = URL.parse(address);
  return url?.protocol === "https:" && url.port === "" ? url.hostname : null;
}

function isSigned({ text, signature, apiSecret }: { text: string; signature: string; apiSecret: string }): boolean {
  const right = createHmac("sha256", apiSecret).update(text).digest();
  const given = Buffer.from(signature, "base64url");
  return given.length === right.length && timingSafeEqual(given, right);
}

function decoded(part: string): unknown {
  try {
    return JSON.parse(Buffer.from(part, "base64url").toString("utf8")) as unknown;
  } catch {
    return undefined;
  }
}
