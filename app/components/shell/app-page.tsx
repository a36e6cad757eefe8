import { useNavigate } from "@remix-run/react";
import { useEffect } from "react";
import type { ReactNode } from "react";
import { Page } from "../../polaris/polaris.ts";
import type { PageProps } from "../../polaris/polaris.ts";
import { useIsPhone } from "../hooks/use-is-phone.ts";
import { useAnnounce } from "./announcer.tsx";

/** What a page's main action does: it leads somewhere, or acts. */
interface MainAction {
  content: string;
  url?: string;
  onAction?: () => void;
}

export interface AppPageProps extends Pick<PageProps, "subtitle" | "titleMetadata" | "secondaryActions" | "fullWidth"> {
  title: string;
  /** Of a sub-page: the page above it. */
  backAction?: { content: string; url: string };
  primaryAction?: MainAction;
  children: ReactNode;
}

/**
 * A page's frame: Shopify's title bar, the actions, and the announcement of a new page to screen readers. The title stands in the admin's
 * title bar, and is not drawn in the page a second time: its heading there is for screen readers. On a phone the way back and the main
 * action stand in the title bar, too, and not in the page (`shell.css`).
 */
export function AppPage({ children, ...page }: AppPageProps) {
  const { title, backAction, primaryAction } = page;
  const announce = useAnnounce();
  const navigate = useNavigate();
  const isPhone = useIsPhone();
  const { subtitle, titleMetadata, secondaryActions } = page;
  // What the page's own header holds beside what the title bar says.
  const hasMore =
    Boolean(subtitle ?? titleMetadata) || (Array.isArray(secondaryActions) && secondaryActions.length > 0);
  const isBare = !hasMore && !backAction && !primaryAction;
  useEffect(() => {
    document.title = title;
    announce(title);
  }, [announce, title]);
  return (
    <>
      <ui-title-bar title={title}>
        {isPhone && backAction && (
          <button variant="breadcrumb" onClick={() => navigate(backAction.url)}>
            {backAction.content}
          </button>
        )}
        {isPhone && primaryAction && (
          <button
            variant="primary"
            onClick={() => (primaryAction.url ? navigate(primaryAction.url) : primaryAction.onAction?.())}
          >
            {primaryAction.content}
          </button>
        )}
      </ui-title-bar>
      <div
        className={["origen-page", !hasMore && "origen-page-plain", isBare && "origen-page-bare"]
          .filter(Boolean)
          .join(" ")}
      >
        <Page {...page} titleHidden={isBare}>
          {children}
        </Page>
      </div>
    </>
  );
}
