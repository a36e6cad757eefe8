import * as z from "zod";
import { MOST_VITALS, VITAL_PAGES, VITALS } from "../../views/vitals.ts";

/** No page takes longer that somebody waited for, in milliseconds. */
const LONGEST_MS = 600_000;

/** One report of App Bridge. */
export const vitalsReport = z
  .array(z.object({ page: z.enum(VITAL_PAGES), name: z.enum(VITALS), value: z.number().min(0).max(LONGEST_MS) }))
  .max(MOST_VITALS);
