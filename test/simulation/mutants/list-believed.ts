import type { ShippingService } from "../../../app/ports.ts";

/** Takes what was listed once, and is not listed now, for gone, in place of asking for it. */
export function believingTheList(shipping: ShippingService): ShippingService {
  const listed = new Set<string>();
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
          for (const id of listed) if (!now.has(id)) leftOut.add(id);
          for (const id of now) {
            listed.add(id);
            leftOut.delete(id);
          }
          return listing;
        },
        get: async (templateId, options) =>
          leftOut.has(templateId) ? { kind: "not_found", requestId: "left out" } : account.get(templateId, options),
      };
    },
  };
}
