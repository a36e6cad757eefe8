import { LARGEST_FILE } from "../../views/import.ts";
import type { FileFault } from "../../views/import.ts";

/** As much as the app takes of one request, less what stands around a file. */
const LARGEST_SENT = 2_000_000;

/** A chosen file as it is sent, or why it cannot be: the browser may not read one that a program holds open, or that is gone since. */
export async function packedFile(file: File): Promise<Blob | FileFault> {
  if (file.size > LARGEST_FILE) return { code: "too_large" };
  // Read at once: a file that is saved anew meanwhile could not be sent again.
  const bytes = await file.arrayBuffer().catch(() => null);
  if (bytes === null) return { code: "unread" };
  const packing = new Blob([bytes]).stream().pipeThrough(new CompressionStream("gzip"));
  const packed = await new Response(packing).blob();
  return packed.size > LARGEST_SENT ? { code: "too_large" } : packed;
}
