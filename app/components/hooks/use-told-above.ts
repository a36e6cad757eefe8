import { useRouteLoaderData } from "@remix-run/react";
import type { ShellView, ShopHealth } from "../../views/shell.ts";

/** What the banner above every page says keeps the whole shop waiting (`ConnectionBanner`, `ShutBanner`); null where there is none. */
export function useToldAbove(): ShopHealth | null {
  const shell = useRouteLoaderData("routes/app") as ShellView | undefined;
  if (!shell) return null;
  if (shell.shopify !== null) return "shut";
  const { health } = shell.connection;
  return health === "ready" || health === "none" ? null : health;
}
