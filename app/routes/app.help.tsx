import { json } from "@remix-run/node";
import type { LoaderFunctionArgs } from "@remix-run/node";
import { HelpPage } from "../components/help/help-page.tsx";
import { authenticate } from "../shopify.server.ts";

export async function loader({ request }: LoaderFunctionArgs) {
  await authenticate.admin(request);
  return json({});
}

export default function Help() {
  return <HelpPage />;
}
