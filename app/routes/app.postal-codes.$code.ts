import { json } from "@remix-run/node";
import type { LoaderFunctionArgs } from "@remix-run/node";
import { readPostalCode } from "../pages/read-postal-code.ts";
import { services } from "../services.server.ts";
import { authenticate } from "../shopify.server.ts";

/** What a form asks for in the background once a postal code is typed. Without a list, and for a code that it lacks, `facts` is null. */
export async function loader({ request, params }: LoaderFunctionArgs) {
  await authenticate.admin(request);
  return json({ facts: await readPostalCode(services, { code: params.code ?? "" }) });
}
