import type { Api as ActionApi } from "@shopify/ui-extensions/admin.order-details.action.render";
import type { Api as BlockApi } from "@shopify/ui-extensions/admin.order-details.block.render";

/**
 * What the admin gives to both targets; each target adds one member of its own. Shopify's global is read at each call, because a bundle is
 * evaluated before its target runs.
 */
type Shopify = Pick<BlockApi, "data" | "i18n" | "storage"> &
  Partial<Pick<BlockApi, "navigation"> & Pick<ActionApi, "close">>;

export const host = {
  get shopify(): Shopify {
    return (globalThis as unknown as { shopify: Shopify }).shopify;
  },
  get orderId(): string {
    return host.shopify.data.selected[0]?.id ?? "";
  },
  fetch: (input: string, init?: RequestInit): Promise<Response> => globalThis.fetch(input, init),
};

/** The shipping service's name; null until the app has answered, and where nobody named it. */
let serviceName: string | null = null;

/** From here on every text names the shipping service so. */
export function nameService(name: string | null): void {
  serviceName = name;
}

/** A text of locales/, in the admin's language; each may hold `service` and `account`, and with a capital where a sentence begins. */
export function t(key: string, values?: Record<string, string | number>): string {
  const { i18n } = host.shopify;
  const service = serviceName ?? i18n.translate("service");
  const account =
    serviceName === null ? i18n.translate("account") : i18n.translate("namedAccount", { name: serviceName });
  const named = { service, Service: capitalised(service), account, Account: capitalised(account) };
  return i18n.translate(key, { ...named, ...values });
}

function capitalised(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** A time as the app shows it: in the shop's time zone, wherever the browser is, and by twelve hours, as Mexico reads it. */
export function time(atMs: number, timeZone: string | null | undefined): string {
  const style = { dateStyle: "medium", timeStyle: "short", hour12: true } as const;
  return host.shopify.i18n.formatDate(new Date(atMs), timeZone ? { ...style, timeZone } : style);
}
