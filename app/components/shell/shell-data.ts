import type { ShellView } from "../../views/shell.ts";

export type ShellData = ShellView & { apiKey: string };

/** The shell's data for when it could not be read. */
export const EMPTY_SHELL: ShellData = {
  language: null,
  timeZone: "UTC",
  nowMs: 0,
  toReview: 0,
  apiKey: "",
  connection: { health: "ready", environment: null, lastSuccessAtMs: null, fault: null },
  shopify: null,
  revision: null,
};
