import type { TemplateRecord } from "./records.ts";

/** Whether something said of a template that it is not there, or not so: it is read anew before anything rests on what was read of it. */
export function isDoubted({ absentSinceMs, unlistedSinceMs, disputedSinceMs }: TemplateRecord): boolean {
  return absentSinceMs !== null || unlistedSinceMs !== null || disputedSinceMs !== null;
}
