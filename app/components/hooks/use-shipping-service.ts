import { useRouteLoaderData } from "@remix-run/react";

export interface ShippingService {
  /** Null where nobody named it. */
  name: string | null;
  /** Its page where an account's client ID and secret are found. */
  connectionsUrl: string | null;
  helpUrl: string | null;
}

const UNNAMED: ShippingService = { name: null, connectionsUrl: null, helpUrl: null };

/** The shipping service as the settings of the process name it. Messages have its name as `{service}` without asking here. */
export function useShippingService(): ShippingService {
  const root = useRouteLoaderData("root") as { service?: ShippingService } | undefined;
  return root?.service ?? UNNAMED;
}
