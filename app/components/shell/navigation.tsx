import { Link } from "@remix-run/react";
import { useSyncExternalStore } from "react";
import type { ComponentType, ReactNode } from "react";
import { useTranslation } from "react-i18next";

/** Only read by App Bridge, never drawn: a press in the admin's menu comes back as `shopify:navigate`, which Shopify's provider follows. */
const MenuLink = "s-link" as unknown as ComponentType<{ href: string; rel?: "home"; children: ReactNode }>;

/**
 * The app's pages in Shopify's own menu: `s-app-nav`, and `ui-nav-menu`, which it replaces, in an admin whose App Bridge has only that one.
 * The menu's links have no place for a badge (docs/built-for-shopify.md), so that Review stands in it while something waits there.
 */
export function Navigation({ toReview }: { toReview: number }) {
  const { t } = useTranslation("shell");
  const isOld = useIsOld();
  const pages = [
    { to: "/app", name: t("nav.home"), rel: "home" as const },
    ...(toReview > 0 ? [{ to: "/app/review", name: t("nav.review") }] : []),
    { to: "/app/origins", name: t("nav.origins") },
    { to: "/app/address-book", name: t("nav.addressBook") },
    { to: "/app/activity", name: t("nav.activity") },
    { to: "/app/settings", name: t("nav.settings") },
    { to: "/app/help", name: t("nav.help") },
  ];
  if (isOld)
    return (
      <ui-nav-menu>
        {pages.map(({ to, name, rel }) => (
          <Link key={to} to={to} rel={rel}>
            {name}
          </Link>
        ))}
      </ui-nav-menu>
    );
  return (
    <s-app-nav>
      {pages.map(({ to, name, rel }) => (
        <MenuLink key={to} href={to} {...(rel && { rel })}>
          {name}
        </MenuLink>
      ))}
    </s-app-nav>
  );
}

/** App Bridge stands in the head, so its elements are known before React takes the page over, and do not change. */
const useIsOld = (): boolean =>
  useSyncExternalStore(
    () => () => undefined,
    () => customElements.get("ui-nav-menu") !== undefined && customElements.get("s-app-nav") === undefined,
    () => false,
  );
