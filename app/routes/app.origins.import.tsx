import { json } from "@remix-run/node";
import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { ImportPage } from "../components/import/import-page.tsx";
import { oneFileOf, readUpload } from "../http/upload/read-upload.ts";
import { found } from "../http/request-input.ts";
import { readJob } from "../jobs/read-job.ts";
import { authenticate } from "../shopify.server.ts";
import { importDetails } from "../spreadsheet/import-details.ts";
import type { ImportAnswer } from "../views/import.ts";

/** Details of many origins from a file: shown first, and written once its owner confirms. */
export async function loader({ request }: LoaderFunctionArgs) {
  const { session, services } = await authenticate.admin(request);
  return json({ job: await readJob(services, { shop: session.shop, kind: "import" }) });
}

export async function action({ request }: ActionFunctionArgs) {
  const { session, services, spend } = await authenticate.admin(request);
  const { shop } = session;
  const answer = await oneFileOf(shop, async (): Promise<ImportAnswer | null> => {
    const { file, shown } = await readUpload(request);
    return importDetails(services, { shop, file, shown, spend });
  });
  return json(found(answer));
}

export default function Import() {
  return <ImportPage job={useLoaderData<typeof loader>().job} />;
}
