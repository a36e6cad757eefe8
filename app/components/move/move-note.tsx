import { BlockStack, Card, Link, Text } from "../../polaris/polaris.ts";
import { useTranslation } from "react-i18next";
import type { MoveNews } from "../../domain/plan/move-news.ts";
import { useMoveWords } from "./use-move-words.ts";

/** On the origin's page: that the location moves, and where more of it stands. */
export function MoveNote({ news, legacyId }: { news: MoveNews; legacyId: string }) {
  const { t } = useTranslation("move");
  const words = useMoveWords();
  return (
    <Card>
      <BlockStack gap="200">
        <Text as="h2" variant="headingMd">
          {t("note")}
        </Text>
        <Text as="p">{words(news)}</Text>
        <Link url={`/app/origins/${legacyId}/move`}>{t("see")}</Link>
      </BlockStack>
    </Card>
  );
}
