import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import { LARGEST_FILE } from "../../views/import.ts";
import { LIMIT_HEADER } from "../too-many.ts";

/** A file that a page sends, compressed by the browser. */
export interface Upload {
  /** Null: unpacked it is larger than any file may be. */
  file: Uint8Array | null;
  /** The form's other field; null without one. */
  shown: string | null;
}

const unpack = promisify(gunzip);

/** @throws a 400 for a body that is no such form. */
export async function readUpload(request: Request): Promise<Upload> {
  const form = await request.formData().catch(() => null);
  const packed = form?.get("file");
  const shown = form?.get("shown") ?? null;
  if (!(packed instanceof Blob) || (shown !== null && typeof shown !== "string")) throw badRequest();
  try {
    // No further than a file may be long, whatever it would unpack to.
    return { file: await unpack(await packed.arrayBuffer(), { maxOutputLength: LARGEST_FILE }), shown };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ERR_BUFFER_TOO_LARGE") return { file: null, shown };
    throw badRequest();
  }
}

function badRequest(): Response {
  return new Response(null, { status: 400, statusText: "Bad Request" });
}

const underWay = new Set<string>();

/**
 * One file of a shop at a time, because each is held whole while it is read.
 *
 * @throws a 429 while another one of the shop's is read.
 */
export async function oneFileOf<T>(shop: string, work: () => Promise<T>): Promise<T> {
  if (underWay.has(shop))
    throw new Response(null, { status: 429, headers: { "Retry-After": "2", [LIMIT_HEADER]: "forms" } });
  underWay.add(shop);
  try {
    return await work();
  } finally {
    underWay.delete(shop);
  }
}
