import type { JwtPayload, Shopify } from "@shopify/shopify-api";
import { isStoreDomain } from "../../domain/store-domain.ts";

/** Why a session token is not believed. */
export type TokenFault = "malformed" | "signature" | "audience" | "issuer" | "another_shop" | "not_yet" | "expired";

/** A document's request has the session token in its URL, any other request in a header. Read as Shopify's package reads it. */
export function sessionTokenOf(request: Request): string | null {
  const inHeader = request.headers.get("Authorization")?.replace("Bearer ", "");
  return inHeader || new URL(request.url).searchParams.get("id_token");
}

/**
 * What is wrong with the session token of a request; null where nothing is, or there is none. Shopify's package reads the token and refuses
 * what it refuses. It does not look at the issuer, nor whether an address that names a shop carries that shop's token.
 */
export async function tokenFault(request: Request, { session }: Pick<Shopify, "session">): Promise<TokenFault | null> {
  const token = sessionTokenOf(request);
  if (token === null) return null;
  let said: JwtPayload;
  try {
    said = await session.decodeSessionToken(token);
  } catch (error) {
    return refusalOf(error);
  }
  const [shop, issuer] = [hostOf(said.dest), hostOf(said.iss)];
  if (!isStoreDomain(shop) || issuer !== shop) return "issuer";
  const named = new URL(request.url).searchParams.get("shop");
  return named !== null && named.toLowerCase() !== shop ? "another_shop" : null;
}

/** The package's words for why, which follow the token itself. They decide nothing but the log's line. */
const WORDS: readonly [RegExp, TokenFault][] = [
  [/signature verification failed$/, "signature"],
  [/"exp" claim timestamp check failed$/, "expired"],
  [/"nbf" claim timestamp check failed$/, "not_yet"],
  [/invalid API key$/, "audience"],
];

function refusalOf(error: unknown): TokenFault {
  const words = error instanceof Error ? error.message : "";
  return WORDS.find(([pattern]) => pattern.test(words))?.[1] ?? "malformed";
}

function hostOf(address: unknown): string | null {
  const url = typeof address === "string" ? URL.parse(address) : null;
  return url?.protocol === "https:" && url.port === "" ? url.hostname : null;
}
