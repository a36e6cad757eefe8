import { BlockStack, Box, Button, InlineStack, Select } from "../../polaris/polaris.ts";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { SearchField } from "./search-field.tsx";

export interface ListFiltersProps {
  tabs: { id: string; label: string; count: number }[];
  tab: string;
  onTab(id: string): void;
  search: string;
  searchLabel: string;
  onSearch(text: string): void;
  /** Beside the tabs. */
  menu?: ReactNode;
  /** Further filters, each a choice, below the search. */
  choices?: ReactNode;
  /** Takes the choices back. */
  chosen?: ReactNode;
  /** For a small screen, where no heading can be pressed. */
  sort?: { value: string; options: { label: string; value: string }[]; onChange(value: string): void };
}

/** Filter, search and order of a list. It uses buttons, because Polaris's tabs measure themselves and shift the page when it opens. */
export function ListFilters({
  tabs,
  tab,
  onTab,
  search,
  searchLabel,
  onSearch,
  menu,
  choices,
  chosen,
  sort,
}: ListFiltersProps) {
  const { t } = useTranslation("origins");
  return (
    <Box padding="300">
      <BlockStack gap="300">
        <div role="group" aria-label={t("list.filter")}>
          <InlineStack gap="100" wrap>
            {tabs.map(({ id, label, count }) => (
              <Button
                key={id}
                size="slim"
                variant={id === tab ? "secondary" : "tertiary"}
                pressed={id === tab}
                onClick={() => onTab(id)}
              >
                {t("list.tab", { label, count })}
              </Button>
            ))}
            {menu}
          </InlineStack>
        </div>
        <SearchField label={searchLabel} search={search} onSearch={onSearch} />
        {(choices || sort) && (
          <div role="group" aria-label={t("filters.heading")} className="origen-choices">
            {choices}
            {sort && (
              <div className="origen-narrow">
                <Select
                  label={t("list.sort")}
                  labelHidden
                  options={sort.options}
                  value={sort.value}
                  onChange={sort.onChange}
                />
              </div>
            )}
          </div>
        )}
        {chosen}
      </BlockStack>
    </Box>
  );
}
