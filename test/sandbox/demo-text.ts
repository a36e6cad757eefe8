import { sandboxClient } from "./shipping/options.ts";
import type { Sandbox } from "./start.ts";

/** What a person needs to go on by hand: the address, and each store's credentials of the shipping service. */
export function credentialLines({ adminUrl, admin, stores, shipping }: Sandbox): string[] {
  const { handle: app } = admin.state.config;
  const [first] = stores;
  const lines = [`Open ${adminUrl}/store/${first?.handle}/apps/${app}`, "", `All stores: ${adminUrl}`, ""];
  stores.forEach((store, index) => {
    lines.push(`  ${store.name}  ${adminUrl}/store/${store.handle}`);
    if (!shipping) return;
    for (const environment of ["production", "test"] as const) {
      const { clientId, clientSecret } = sandboxClient(environment, index + 1);
      lines.push(`    ${environment.padEnd(10)}  client id ${clientId}   client secret ${clientSecret}`);
    }
  });
  return [...lines, "", "Ctrl-C stops everything."];
}
