import { Button, Select, Tag } from "../../polaris/polaris.ts";
import { useTranslation } from "react-i18next";
import { ORIGIN_STATES } from "../../domain/origin-state.ts";
import { carrierName } from "../../domain/verification/carriers.ts";
import { ORIGIN_PROBLEMS } from "../../views/origins.ts";
import type { OriginsView } from "../../views/origins.ts";
import type { ChangeQuery } from "../list/use-list-query.ts";

const ANSWERS = ["accepted", "refused", "waiting", "inconclusive", "no_answer", "not_asked"] as const;

/** What the list is filtered by beside its tabs and its search, each in the URL's query. */
export function OriginFilters({ view, change }: { view: OriginsView; change: ChangeQuery }) {
  const { t } = useTranslation("origins");
  const { query, carriers } = view;
  const { state, carrier, problem } = query;
  const wordFor = (name: string) => (name === "ready" && carriers.length === 0 ? "saved" : name);
  // What a link or a saved view asks for may be no carrier of the store any more.
  const asked = [...new Set([...carriers, ...(carrier ? [carrier.carrier] : [])])];
  return (
    <>
      <Select
        label={t("filters.state")}
        labelHidden
        options={[
          { value: "", label: t("filters.anyState") },
          ...ORIGIN_STATES.map((one) => ({ value: one, label: t(`state.${wordFor(one)}`) })),
        ]}
        value={state ?? ""}
        onChange={(value) => change({ state: value })}
      />
      <Select
        label={t("filters.carrier")}
        labelHidden
        disabled={asked.length === 0}
        options={[
          { value: "", label: t("filters.anyCarrier") },
          ...asked.map((one) => ({
            title: carrierName(one),
            options: ANSWERS.map((answer) => ({
              value: `${answer}:${one}`,
              label: t("carrier.each", { carrier: carrierName(one), words: t(`filters.answer.${answer}`) }),
            })),
          })),
        ]}
        value={carrier ? `${carrier.answer}:${carrier.carrier}` : ""}
        onChange={(value) => change({ carrier: value })}
      />
      <Select
        label={t("filters.problem")}
        labelHidden
        options={[
          { value: "", label: t("filters.anyProblem") },
          ...ORIGIN_PROBLEMS.map((one) => ({ value: one, label: t(`filters.problems.${one}`) })),
        ]}
        value={problem ?? ""}
        onChange={(value) => change({ problem: value })}
      />
    </>
  );
}

/** Takes the filters back, all at once; nothing where there are none. */
export function ChosenFilters({ view: { query }, change }: { view: OriginsView; change: ChangeQuery }) {
  const { t } = useTranslation("origins");
  const { state, carrier, problem, locations } = query;
  if ([state, carrier, problem, locations].every((one) => one === null)) return null;
  return (
    <div className="origen-chosen">
      {locations && <Tag onRemove={() => change({ locations: null })}>{t("filters.order")}</Tag>}
      <Button variant="plain" onClick={() => change({ state: null, carrier: null, problem: null, locations: null })}>
        {t("filters.clear")}
      </Button>
    </div>
  );
}
