/** A way to ask the same of the same server: our client, or what one would write instead of it. */
export interface Contender {
  /** One GET of one of the shops, whose answer is parsed. Rejects when the answer is not the template or page that the server has. */
  call(shop: number): Promise<void>;
}

/**
 * Makes a contender that asks for one template, or for a page of twenty. It has a limiter for each of the shops, whose index is below
 * `shops`. `prefix` begins the paths, where the server tells contenders apart.
 */
export type MakeContender = (at: { url: string; what: What; shops: number; prefix?: string }) => Contender;

export type What = "template" | "page";

export const TEMPLATE_ID = "a1b2c3d4-0000-4000-8000-000000000001";
export const TOKEN = "a-token-of-the-bench-that-is-as-long-as-a-true-one";
export const ROWS = 20;

/** Relative to the server's address. */
export const PATHS: Record<What, string> = {
  template: `/api/v1/address_templates/${TEMPLATE_ID}`,
  page: `/api/v1/address_templates?page=1&per_page=${ROWS}`,
};

/** What our client sends with every request, for the others to send, too. */
export const HEADERS = {
  accept: "application/json",
  "accept-encoding": "identity",
  "user-agent": "Origen/bench",
  "x-request-id": "00000000-0000-4000-8000-000000000000",
  authorization: `Bearer ${TOKEN}`,
};

/** Throws when an answer is not what the server has. */
export function mustHold(what: What, answer: unknown): void {
  const { data } = answer as { data?: { id?: string } & { length?: number } };
  if (what === "template" ? data?.id !== TEMPLATE_ID : data?.length !== ROWS) throw new Error("another answer");
}
