import type { NextFunction, Request, Response } from "express";
import type { Log } from "../ports.ts";

/** What a route answers; HEAD is a GET without its body. */
const METHODS = new Set(["GET", "HEAD", "POST", "OPTIONS"]);

/** Signed or authenticated by themselves, and sent from elsewhere: Shopify's servers, and the extensions, which run on Shopify's origin. */
const FROM_ANYWHERE = /^\/(?:webhooks$|api\/)/;

const HOST = /^(?:[a-z0-9._-]+|\[[0-9a-f:.]+\])(?::\d{1,5})?$/i;

export interface GateOptions {
  appUrl: string;
  log: Log;
}

/** Turns away what no browser and no Shopify sends, with a status that says so, before a package throws over it. */
export function gate({ appUrl, log }: GateOptions) {
  const { origin } = new URL(appUrl);
  return (request: Request, response: Response, next: NextFunction): void => {
    const refuse = (status: number, words: string): void => {
      response.status(status).type("text/plain").send(words);
    };
    if (!METHODS.has(request.method)) {
      response.set("Allow", [...METHODS].join(", "));
      return refuse(405, "This method is not for this app");
    }
    const path = originForm(request.url);
    if (path === null || !isReadable(path)) return refuse(400, "The address is malformed");
    request.url = path;
    if (request.headers.host !== undefined && !HOST.test(request.headers.host))
      return refuse(400, "The Host header is malformed");
    const from = request.headers.origin;
    if (request.method === "POST" && from !== undefined && from !== origin && !FROM_ANYWHERE.test(request.path)) {
      log.warn({ security: "foreign_origin", path: request.path, from: from.slice(0, 200), ip: request.ip }, "refused");
      return refuse(403, "This was sent from another site");
    }
    next();
  };
}

/** `/path?query`, also of a request that was written for a proxy, with the whole address; null for what is neither. */
function originForm(target: string): string | null {
  if (target.startsWith("/")) return target;
  if (!/^https?:\/\//i.test(target) || !URL.canParse(target)) return null;
  const { pathname, search } = new URL(target);
  return pathname + search;
}

/** Percent-encoded UTF-8, without a NUL, which PostgreSQL takes nowhere. */
function isReadable(target: string): boolean {
  try {
    return (
      !target.includes("%00") &&
      URL.canParse(`http://host${target}`) &&
      decodeURIComponent(target.split("?", 1)[0]!) !== ""
    );
  } catch {
    return false;
  }
}
