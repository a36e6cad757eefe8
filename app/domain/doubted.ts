import type { LinkRecord, TemplateRecord } from "./records.ts";

/**
 * Whether some reading contradicts what is stored of a template: that it is there, or what it says. Such a template is read by its own GET
 * before anything is decided by what is stored.
 */
export function isDoubted({ absentSinceMs, unlistedSinceMs, disputedSinceMs }: TemplateRecord): boolean {
  return absentSinceMs !== null || unlistedSinceMs !== null || disputedSinceMs !== null;
}

/** The same of a location's template, which an unclear write may have changed, too. */
export function isLinkDoubted(link: LinkRecord | null, template: TemplateRecord | null): boolean {
  return template !== null && (isDoubted(template) || link?.unclear != null);
}
