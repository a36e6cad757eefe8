import type { Language } from "../domain/records.ts";

/** A file that a page asks for with `fetch`, because a link out of Shopify's frame would carry no session token. */
export function download({ name, text }: { name: string; text: AsyncGenerator<string> }): Response {
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await text.next();
        if (done) controller.close();
        else controller.enqueue(encoder.encode(value));
      },
      cancel: () => void text.return(undefined),
    },
    { highWaterMark: 0 },
  );
  return new Response(body, {
    headers: {
      "Content-Type": "text/csv; charset=utf-8",
      "Content-Disposition": `attachment; filename="${name}"`,
      "Cache-Control": "no-store",
    },
  });
}

/** In which language the page is that asks. */
export function languageOf(search: URLSearchParams): Language {
  return search.get("language") === "es-MX" ? "es-MX" : "en";
}
