import { json } from "@remix-run/node";
import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { BookPage } from "../../components/address-book/book-page.tsx";
import { found, readIntent } from "../../http/request-input.ts";
import { authenticate } from "../../shopify.server.ts";
import { readAddressBook } from "../../pages/read-address-book.ts";
import { perform } from "./perform.ts";
import { bookIntent, bookQueryOf } from "./schema.ts";

export async function loader({ request }: LoaderFunctionArgs) {
  const { session, services } = await authenticate.admin(request);
  const query = bookQueryOf(new URL(request.url).searchParams);
  return json({ view: found(await readAddressBook(services, { shop: session.shop, query })) });
}

/** Reads the account while the page shows the stored book; `force` is the button. */
export async function action({ request }: ActionFunctionArgs) {
  const { session, services } = await authenticate.admin(request);
  const asked = await readIntent(request, bookIntent);
  return json(await perform(services, { shop: session.shop, asked }));
}

export default function AddressBook() {
  return <BookPage view={useLoaderData<typeof loader>().view} />;
}
