import { useRouteLoaderData } from "@remix-run/react";

/** Where help and the terms of use stand; null for what nobody set. */
export interface Support {
  email: string | null;
  privacyUrl: string | null;
  termsUrl: string | null;
}

const NONE: Support = { email: null, privacyUrl: null, termsUrl: null };

/** Who helps with the app, as the settings of the process say it. */
export function useSupport(): Support {
  const root = useRouteLoaderData("root") as { support?: Support } | undefined;
  return root?.support ?? NONE;
}
