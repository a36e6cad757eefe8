import type { Tables } from "../ports.ts";

/** A record, so that a table that comes anew and is forgotten here does not compile. */
const EVERY_TABLE: Record<keyof Tables, true> = {
  shops: true,
  connections: true,
  locations: true,
  details: true,
  links: true,
  templates: true,
  verifications: true,
  workItems: true,
  pendingWrites: true,
  receipts: true,
  drafts: true,
  activity: true,
  jobs: true,
  jobItems: true,
  moves: true,
  flowOrigins: true,
  flowEvents: true,
};

/** The names of all tables of the store. */
export const TABLE_NAMES = Object.keys(EVERY_TABLE) as (keyof Tables)[];
