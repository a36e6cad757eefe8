import type { ShopRecord } from "../../domain/records.ts";
import type { CheckedSpec } from "./table-spec.ts";

/** The table of shops, the parent of all others. */
export const SHOP_SPEC: CheckedSpec<ShopRecord> = {
  model: "Shop",
  keys: [["shop"]],
  fields: {
    shop: "text",
    timeZone: "text",
    language: "text?",
    policies: "json",
    contact: "json",
    revision: "int",
    guideDismissedAtMs: "time?",
    reconciledAtMs: "time?",
    installedAtMs: "time",
    uninstalledAtMs: "time?",
    access: "text",
    accessSinceMs: "time?",
    refusedAtMs: "time?",
    uninstallToldAtMs: "time?",
    forgetDueAtMs: "time?",
    redactToldAtMs: "time?",
    redactDecision: "text?",
    flow: "json",
  },
};
