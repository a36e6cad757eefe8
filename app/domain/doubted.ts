import type { TemplateRecord } from "./records.ts";

/**
 * Whether some reading contradicts what is stored of a template: that it is there, or what it says. Such a template is read by its own GET
 * before anything is decided by what is stored.
 */
export function isDoubted({ absentSinceMs, unlistedSinceMs, disputedSinceMs }: TemplateRecord): boolean {
  return absentSinceMs !== null || unlistedSinceMs !== null || disputedSinceMs !== null;
}
