import * as z from "zod";

/** As many locations as a store can have. */
const MOST_LOCATIONS = 1_000;

/** Of the locations of many orders: what is known of each, or what to do for all of them. Locations are named by the numbers in their ids. */
export const manyIntent = z.object({
  intent: z.enum(["read", "verify", "sync"]),
  locations: z.array(z.string().regex(/^\d{1,20}$/)).max(MOST_LOCATIONS),
});

export type ManyIntent = z.infer<typeof manyIntent>;
