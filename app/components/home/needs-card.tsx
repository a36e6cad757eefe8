import { BlockStack, Card, InlineStack, Text } from "../../polaris/polaris.ts";
import type { TFunction } from "i18next";
import { useTranslation } from "react-i18next";
import { listOf } from "../../views/home.ts";
import type { HomeView, NeedView } from "../../views/home.ts";
import { useMoveWords } from "../move/use-move-words.ts";
import { NothingYet } from "./nothing-yet.tsx";
import { Mark, NeedRow } from "./need-row.tsx";
import { TroubleRow } from "./troubles.tsx";

/**
 * What only the owner can mend, the worst first. What the connection needs is said once, by the banner above every page; where nothing is
 * connected there is none. `guided`: the first steps above say that, too.
 */
export function NeedsCard({ view, guided }: { view: HomeView; guided: boolean }) {
  const { t } = useTranslation("home");
  const { needs, troubles, moves, origins } = view;
  const moveWords = useMoveWords();
  const { health } = view.connection;
  const connects = health === "none" && !guided;
  const nothing = !connects && needs.length + troubles.length + moves.length === 0;
  // The banner is what there is to do.
  if (nothing && !guided && health !== "ready" && health !== "failing") return null;
  return (
    <Card>
      <BlockStack gap="300">
        <Text as="h2" variant="headingMd">
          {t("needs.heading")}
        </Text>
        {nothing ? (
          <InlineStack gap="200" wrap={false} blockAlign="center">
            <Mark grave={null} />
            {origins.total === 0 && !view.reading ? <NothingYet /> : <Text as="p">{nothingWords(view, t)}</Text>}
          </InlineStack>
        ) : (
          <ul className="origen-list">
            {connects && (
              <NeedRow
                grave
                text={t("needs.connect")}
                way={{ action: t("needs.connectAction"), url: "/app/settings#connection" }}
              />
            )}
            {needs.map((need) => (
              <OriginNeed key={need.need} need={need} />
            ))}
            {moves.map(({ news, legacyId, name }) => (
              <NeedRow
                key={legacyId}
                grave={false}
                text={moveWords(news)}
                detail={name}
                way={{ action: t("needs.open", { name }), url: `/app/origins/${legacyId}/move` }}
              />
            ))}
            {troubles.map((trouble) => (
              <TroubleRow key={trouble.trouble} trouble={trouble} />
            ))}
          </ul>
        )}
      </BlockStack>
    </Card>
  );
}

function nothingWords({ reading, origins }: HomeView, t: TFunction<"home">): string {
  if (reading && origins.total === 0) return t("needs.reading");
  return origins.underWay > 0 ? t("needs.nothingWaiting", { count: origins.underWay }) : t("needs.nothing");
}

const GRAVE: readonly string[] = ["conflict", "missing_there", "refused_by_service"];

function OriginNeed({ need: { need, count, failure, origins } }: { need: NeedView }) {
  const { t } = useTranslation("home");
  const [first] = origins;
  const names = origins.map((origin) => origin.name).join(", ");
  const more = count - origins.length;
  const alone = count === 1 && first;
  const url =
    need === "to_review"
      ? "/app/review"
      : alone
        ? `/app/origins/${first.legacyId}`
        : `/app/origins?${new URLSearchParams(listOf(need)).toString()}`;
  const action =
    need === "to_review" ? t("needs.review") : alone ? t("needs.open", { name: first.name }) : t("needs.see");
  return (
    <NeedRow
      grave={GRAVE.includes(need)}
      text={t(`needs.${need}`, { count })}
      detail={more > 0 ? t("needs.and", { names, more }) : names}
      failure={failure}
      way={{ action, url }}
    />
  );
}
