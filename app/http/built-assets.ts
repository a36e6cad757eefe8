import { existsSync, readdirSync } from "node:fs";
import express from "express";
import type { RequestHandler } from "express";

const COMPRESSED = ".br";

/**
 * The build's scripts and style sheets, whose names hold a hash of their content. Where the build left one compressed (`scripts/build.ts`), a
 * browser that reads Brotli gets that.
 */
export function builtAssets(folder: string): RequestHandler[] {
  const names = new Set(existsSync(folder) ? readdirSync(folder) : []);
  const compressed: RequestHandler = (request, response, next) => {
    const name = request.path.slice(1);
    if (!names.has(name) || !names.has(name + COMPRESSED)) return next();
    response.vary("Accept-Encoding");
    if (!request.acceptsEncodings("br")) return next();
    response.type(name).set("Content-Encoding", "br");
    request.url = `/${name}${COMPRESSED}`;
    next();
  };
  return [compressed, express.static(folder, { immutable: true, maxAge: "1y", fallthrough: false })];
}
