import { Box, Button, BlockStack, Card, Text } from "../../polaris/polaris.ts";
import { useCallback, useDeferredValue, useEffect, useMemo, useRef } from "react";
import { useTranslation } from "react-i18next";
import type { RepeatedField } from "../../domain/address/form-fields.ts";
import { REPEATED_FIELDS, eachField } from "../../domain/address/form-fields.ts";
import { useRowsInTurn } from "../hooks/use-rows-in-turn.ts";
import { ListFilters } from "../list/list-filters.tsx";
import { isToDo } from "./review-order.ts";
import type { Standing } from "./review-order.ts";
import { ReviewRow } from "./review-row.tsx";
import type { RowFacts } from "./row-facts.ts";
import { valueOf } from "./review-state.ts";
import type { ReviewForm } from "./use-review-form.ts";
import type { ReviewList as List } from "./use-review-list.ts";

export interface ReviewListProps {
  form: ReviewForm;
  standings: readonly Standing[];
  list: List;
  /** Rows that come once these are confirmed. */
  more: number;
}

/** The rows, those with something open first, and what narrows them down. */
export function ReviewList(props: ReviewListProps) {
  const { form, standings, list, more } = props;
  const { rows, edits, facts, contact } = form;
  const { t } = useTranslation("review");
  const byId = new Map(rows.map((row) => [row.locationId, row]));
  const shownRows = list.shown.map((locationId) => byId.get(locationId)!);
  const inTurn = useRowsInTurn(shownRows);
  // Deferred, because the first letter in a cell changes it for every row that is opened.
  const lacking = useDeferredValue(
    useLacking(list.shown.filter((id) => !edits.rows[id]?.leftOut).map((id) => facts.get(id)!)),
  );
  const latest = useRef(props);
  useEffect(() => {
    latest.current = props;
  });
  const copy = useCallback((locationId: string, field: RepeatedField) => {
    const { form: now, list: seen } = latest.current;
    const row = (id: string) => now.rows.find((one) => one.locationId === id)!;
    const lacks = seen.shown.filter((id) => !now.edits.rows[id]?.leftOut && now.facts.get(id)!.lacks.includes(field));
    const value = valueOf(row(locationId), now.edits.rows[locationId], field);
    now.copy({ field, value, rows: lacks.map(row) });
  }, []);
  const { lens } = list;
  const tabs = [
    { id: "all", label: t("filter.all"), count: rows.length },
    { id: "open", label: t("filter.open"), count: standings.filter(isToDo).length },
  ];
  return (
    <Card padding="0">
      {rows.length > 1 && (
        <ListFilters
          key={list.letGo}
          tabs={tabs}
          tab={lens.onlyOpen ? "open" : "all"}
          onTab={(tab) => list.look({ onlyOpen: tab === "open" })}
          search={lens.search}
          searchLabel={t("filter.search")}
          onSearch={(search) => list.look({ search })}
        />
      )}
      {shownRows.length === 0 && (
        <Box padding="400">
          <BlockStack gap="300" inlineAlign="center">
            <Text as="p">{t(lens.search ? "filter.nothingFound" : "filter.nothingOpen")}</Text>
            <Button onClick={list.lookAtAll}>{t("filter.showAll")}</Button>
          </BlockStack>
        </Box>
      )}
      <ul className="origen-list" aria-label={t("caption")}>
        {inTurn.map((row) => {
          const { locationId } = row;
          const shows = list.shows(locationId);
          return (
            <ReviewRow
              key={locationId}
              row={row}
              edits={edits.rows[locationId]}
              facts={facts.get(locationId)!}
              shows={shows}
              reference={shows ? contact.reference : null}
              contact={shows && row.proposals.length > 0 ? form.compared : null}
              isAsked={form.wasAsked(locationId)}
              refusal={form.refusalOf(locationId)}
              lacking={shows ? lacking : null}
              onToggle={list.toggle}
              onEdit={form.editRow}
              onCopy={copy}
              onExclude={form.exclude}
            />
          );
        })}
      </ul>
      {more > 0 && (
        <Box padding="400">
          <Text as="p">{t("more", { count: more })}</Text>
        </Box>
      )}
    </Card>
  );
}

/** How many of the rows lack each field; the same object as long as the numbers are the same. */
function useLacking(rows: RowFacts[]): Record<RepeatedField, number> {
  const now = JSON.stringify(
    eachField(REPEATED_FIELDS, (field) => rows.filter(({ lacks }) => lacks.includes(field)).length),
  );
  return useMemo(() => JSON.parse(now) as Record<RepeatedField, number>, [now]);
}
