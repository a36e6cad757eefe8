import { Page } from "../../polaris/polaris.ts";
import type { PageProps } from "../../polaris/polaris.ts";
import { useEffect } from "react";
import type { ReactNode } from "react";
import { useAnnounce } from "./announcer.tsx";

/**
 * A page's frame: Shopify's title bar, the heading, the actions, and the announcement of a new page to screen readers. Its props are those
 * of Polaris's `Page`; sub-pages give `backAction={{ content, url }}`.
 */
export function AppPage({ children, ...page }: PageProps & { title: string; children: ReactNode }) {
  const announce = useAnnounce();
  useEffect(() => {
    document.title = page.title;
    announce(page.title);
  }, [announce, page.title]);
  return (
    <>
      <ui-title-bar title={page.title} />
      <Page {...page}>{children}</Page>
    </>
  );
}
