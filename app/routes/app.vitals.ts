import type { ActionFunctionArgs } from "@remix-run/node";
import { z } from "zod";
import { readIntent } from "../http/request-input.ts";
import { metrics } from "../services.server.ts";
import { authenticate } from "../shopify.server.ts";
import { MOST_VITALS, VITAL_PAGES, VITALS } from "../views/vitals.ts";

/** No page takes longer that somebody waited for, in milliseconds. */
const LONGEST_MS = 600_000;

const report = z
  .array(z.object({ page: z.enum(VITAL_PAGES), name: z.enum(VITALS), value: z.number().min(0).max(LONGEST_MS) }))
  .max(MOST_VITALS);

/** What App Bridge measured of a page, for `/metrics`. Nothing of it is kept with the shop. */
export async function action({ request }: ActionFunctionArgs) {
  await authenticate.admin(request);
  for (const measured of await readIntent(request, report)) metrics?.vital(measured);
  return new Response(null, { status: 204 });
}
