import { json } from "@remix-run/node";
import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { BookPage } from "../components/address-book/book-page.tsx";
import { found, readIntent } from "../http/request-input.ts";
import { services } from "../services.server.ts";
import { authenticate } from "../shopify.server.ts";
import { readAddressBook } from "../pages/read-address-book.ts";
import { refreshAddressBook } from "../book/refresh-address-book.ts";
import type { BookQuery } from "../views/address-book.ts";
import { BOOK_TABS } from "../views/address-book.ts";

export async function loader({ request }: LoaderFunctionArgs) {
  const { session } = await authenticate.admin(request);
  const query = queryOf(new URL(request.url).searchParams);
  return json({ view: found(await readAddressBook(services, { shop: session.shop, query })) });
}

/** Reads the account behind the page; `force` is the button. */
export async function action({ request }: ActionFunctionArgs) {
  const { session } = await authenticate.admin(request);
  const { force } = await readIntent(request, z.object({ force: z.boolean() }));
  return json({ refreshed: await refreshAddressBook(services, { shop: session.shop, force }) });
}

export default function AddressBook() {
  return <BookPage view={useLoaderData<typeof loader>().view} />;
}

function queryOf(params: URLSearchParams): BookQuery {
  return {
    tab: BOOK_TABS.find((tab) => tab === params.get("tab")) ?? "all",
    search: (params.get("q") ?? "").slice(0, 200),
    page: Math.max(1, Math.trunc(Number(params.get("page"))) || 1),
  };
}
