import { useMatches, useRouteLoaderData } from "@remix-run/react";
import { useEffect, useRef } from "react";
import { MOST_VITALS, VITAL_PAGES, VITALS } from "../../views/vitals.ts";
import type { MeasuredVital, Vital, VitalPage } from "../../views/vitals.ts";

const VITALS_PATH = "/app/vitals";
/** These are of the document; the others of the page that is open when they are told. */
const OF_DOCUMENT: readonly string[] = ["LCP", "FCP", "TTFB"] satisfies Vital[];

/** Sends on what App Bridge measures of the pages, where the operator has it counted. A report that is lost is not sent again. */
export function useVitals(): void {
  const { isMeasured = false } = (useRouteLoaderData("root") as { isMeasured?: boolean } | undefined) ?? {};
  const open = useMatches().at(-1)?.id ?? "";
  const page = useRef(open);
  useEffect(() => void (page.current = open), [open]);
  useEffect(() => {
    const { webVitals } = window.shopify ?? {};
    if (!isMeasured || !webVitals?.onReport) return;
    const first = page.current;
    void webVitals.onReport(({ metrics }) => {
      const measured = metrics.flatMap(({ name, value }) => {
        const of = OF_DOCUMENT.includes(name) ? first : page.current;
        return isVital(name) && isPage(of) ? [{ page: of, name, value }] : [];
      });
      if (measured.length > 0) send(measured.slice(0, MOST_VITALS));
    });
    return () => void webVitals.onReport?.(null);
  }, [isMeasured]);
}

/** Also from a page that is being left. */
function send(measured: MeasuredVital[]): void {
  const headers = { "Content-Type": "application/json" };
  fetch(VITALS_PATH, { method: "POST", headers, body: JSON.stringify(measured), keepalive: true }).catch(() => null);
}

function isVital(name: string): name is Vital {
  return (VITALS as readonly string[]).includes(name);
}

function isPage(id: string): id is VitalPage {
  return (VITAL_PAGES as readonly string[]).includes(id);
}
