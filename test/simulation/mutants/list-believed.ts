import type { ShippingService } from "../../../app/ports.ts";

/** Takes what was shown once, and is not listed now, for gone, in place of asking for it. */
export function believingTheList(shipping: ShippingService): ShippingService {
  const shown = new Set<string>();
  const leftOut = new Set<string>();
  return {
    ...shipping,
    account(connection) {
      const account = shipping.account(connection);
      return {
        ...account,
        async listAll(options) {
          const listing = await account.listAll(options);
          const now = new Set(listing.templates.map(({ id }) => id));
          for (const id of shown) if (!now.has(id)) leftOut.add(id);
          for (const id of now) {
            shown.add(id);
            leftOut.delete(id);
          }
          return listing;
        },
        async get(templateId, options) {
          if (leftOut.has(templateId)) return { kind: "not_found", requestId: "left out" };
          const found = await account.get(templateId, options);
          if (found.kind === "found") shown.add(templateId);
          return found;
        },
      };
    },
  };
}
