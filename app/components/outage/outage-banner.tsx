import { useNavigate, useNavigation } from "@remix-run/react";
import { Banner, Text } from "../../polaris/polaris.ts";
import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { useAnnounce } from "../shell/announcer.tsx";
import { PageTop } from "../shell/page-top.tsx";
import { useOutage } from "./outage-state.ts";
import { loadAnew } from "./release.ts";

/** That another page could not be opened, or that a newer release waits for what is typed here. Nothing otherwise. */
export function OutageBanner() {
  const { unopened, isTooMany, isNewer } = useOutage();
  if (unopened !== null) return <Unopened href={unopened} why={isTooMany ? "tooMany.page" : "unopened.text"} />;
  return isNewer ? <NewerRelease /> : null;
}

function Unopened({ href, why }: { href: string; why: "tooMany.page" | "unopened.text" }) {
  const { t } = useTranslation("shell");
  const navigate = useNavigate();
  const announce = useAnnounce();
  const top = useRef<HTMLDivElement>(null);
  const isTrying = useNavigation().state !== "idle";
  useEffect(() => {
    if (isTrying) return;
    announce(t("unopened.title"));
    top.current?.scrollIntoView({ block: "center" });
  }, [announce, t, isTrying, href]);
  const action = { content: t("unopened.action"), loading: isTrying, onAction: () => navigate(href) };
  return (
    <PageTop>
      <div ref={top}>
        <Banner tone="warning" title={t("unopened.title")} action={action}>
          <Text as="p">{t(why)}</Text>
        </Banner>
      </div>
    </PageTop>
  );
}

function NewerRelease() {
  const { t } = useTranslation("shell");
  return (
    <PageTop>
      <Banner tone="info" title={t("newer.title")} action={{ content: t("newer.action"), onAction: loadAnew }}>
        <Text as="p">{t("newer.text")}</Text>
      </Banner>
    </PageTop>
  );
}
