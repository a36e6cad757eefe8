import { redirect } from "@remix-run/node";
import type { LoaderFunctionArgs } from "@remix-run/node";
import { OutsideAdmin, outsideMeta } from "../components/shell/outside-admin.tsx";

export const meta = outsideMeta;

/** Shopify opens the app's URL; every page in the admin is under /app. */
export function loader({ request }: LoaderFunctionArgs) {
  const { search, searchParams } = new URL(request.url);
  if (searchParams.has("shop")) throw redirect(`/app${search}`);
  return null;
}

export default OutsideAdmin;
