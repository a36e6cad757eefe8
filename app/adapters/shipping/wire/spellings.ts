import type { Environment } from "../../../domain/records.ts";

/**
 * One id for each template, however the service spells it. The interface calls ids UUID-shaped, and a UUID is the same in capitals: a
 * service may show it so in its list and otherwise in a GET. Two rows for one template would let their owner delete the second one, and
 * with it the only one. An id of another shape is compared as it is.
 */

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Pure. */
export function idOf(shown: string): string {
  return UUID.test(shown) ? shown.toLowerCase() : shown;
}

/** Far more than one process reads; the one shown longest ago makes room. */
const KEPT = 100_000;

/**
 * How the service last spelled an id, for a service that finds no template by another spelling. Kept by this process: after a restart an id
 * is requested in small letters until something shows it, and a 404 alone erases nothing.
 */
export interface Spellings {
  /** The id by which the app knows what was shown. */
  heard(environment: Environment, shown: string): string;
  /** What a request names. */
  said(environment: Environment, templateId: string): string;
}

export function createSpellings(): Spellings {
  const spelled = new Map<string, string>();
  const keyOf = (environment: Environment, templateId: string) => `${environment} ${idOf(templateId)}`;
  return {
    heard(environment, shown) {
      const id = idOf(shown);
      const key = keyOf(environment, id);
      spelled.delete(key);
      // As a rule ids are in small letters, and nothing is remembered.
      if (shown !== id) spelled.set(key, shown);
      if (spelled.size > KEPT) spelled.delete(spelled.keys().next().value!);
      return id;
    },
    said: (environment, templateId) => spelled.get(keyOf(environment, templateId)) ?? templateId,
  };
}
