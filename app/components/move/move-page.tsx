import { BlockStack, Button, Card, Text } from "../../polaris/polaris.ts";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { isOwnersMove } from "../../domain/plan/move-news.ts";
import type { MoveView } from "../../views/origin.ts";
import { AppPage } from "../shell/app-page.tsx";
import { Notice } from "../shell/notice.tsx";
import { ComingCard, DayCard, Lines } from "./coming-card.tsx";
import { HeldCard } from "./held-card.tsx";
import { PlanCard } from "./plan-card.tsx";
import { useMove } from "./use-move.ts";
import type { MoveActions } from "./use-move.ts";
import { useMoveWords } from "./use-move-words.ts";

/**
 * Where a location moves, and when. Its commands go to the page's own route. The first card shows what the note above it says: a third address
 * in Shopify, which its owner decides on before another move is planned, or the coming address.
 */
export function MovePage({ view }: { view: MoveView }) {
  const { t } = useTranslation("move");
  const words = useMoveWords();
  const actions = useMove(view.legacyId);
  const { news, coming, held } = view;
  const isElsewhere = held?.isElsewhere === true;
  const heldCard = held && <HeldCard view={view} actions={actions} />;
  return (
    <AppPage
      title={t("title", { name: view.name })}
      backAction={{ content: view.name, url: `/app/origins/${view.legacyId}` }}
    >
      <BlockStack gap="400">
        {news && <Notice tone={isOwnersMove(news) ? "warning" : "info"}>{words(news)}</Notice>}
        {isElsewhere && heldCard}
        {coming && (
          <ComingCard key={coming.templateId} coming={coming} isServed={view.canPlan} held={held} actions={actions} />
        )}
        {coming && <DayCard key={`${coming.hour} ${coming.keepFormer}`} coming={coming} actions={actions} />}
        {!isElsewhere && heldCard}
        {!held && (
          <Card>
            <BlockStack gap="300">
              <Text as="h2" variant="headingMd">
                {t("now")}
              </Text>
              <Lines lines={view.now} />
            </BlockStack>
          </Card>
        )}
        {!coming && !isElsewhere && <Plan view={view} actions={actions} />}
      </BlockStack>
    </AppPage>
  );
}

/** The form for a move. Below what a move has left to decide it would look as if that one were to be entered again, so it is asked for. */
function Plan({ view, actions }: { view: MoveView; actions: MoveActions }) {
  const { t } = useTranslation("move");
  const [isAsked, ask] = useState(false);
  if (view.canPlan && !view.isTest && (view.held === null || isAsked)) return <PlanCard actions={actions} />;
  return (
    <Card>
      {view.isTest || !view.canPlan ? (
        <Text as="p">{t(view.isTest ? "answer.test_account" : "cannotPlan")}</Text>
      ) : (
        <Button onClick={() => ask(true)}>{t("plan.another")}</Button>
      )}
    </Card>
  );
}
