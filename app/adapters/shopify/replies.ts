import * as z from "zod";

/** The schemas of answers to `queries.ts`, as strict as the app needs them. */

const text = z.string().nullable();

const location = z.object({
  id: z.string(),
  name: z.string(),
  isActive: z.boolean(),
  isFulfillmentService: z.boolean(),
  fulfillsOnlineOrders: z.boolean(),
  updatedAt: z
    .string()
    .transform((said) => Date.parse(said))
    .refine(Number.isFinite),
  address: z.object({
    address1: text,
    address2: text,
    city: text,
    province: text,
    provinceCode: text,
    countryCode: text,
    zip: text,
    phone: text,
  }),
});

export type WireLocation = z.infer<typeof location>;

export const locationsReply = z.object({
  data: z.object({
    locations: z.object({
      nodes: z.array(location),
      pageInfo: z.object({ hasNextPage: z.boolean(), endCursor: text }),
    }),
  }),
});

export const locationReply = z.object({ data: z.object({ location: location.nullable() }) });

export const shopReply = z.object({
  data: z.object({ shop: z.object({ ianaTimezone: z.string(), contactEmail: z.string() }) }),
});

export const grantedScopesReply = z.object({
  data: z.object({ currentAppInstallation: z.object({ accessScopes: z.array(z.object({ handle: z.string() })) }) }),
});

export const tellFlowReply = z.object({
  data: z.object({ flowTriggerReceive: z.object({ userErrors: z.array(z.object({ message: z.string() })) }) }),
});

export type Reply<S extends z.ZodType<{ data: unknown }>> = z.infer<S>["data"];
