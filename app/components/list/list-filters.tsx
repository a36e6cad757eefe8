import { BlockStack, Box, Button, InlineGrid, InlineStack, Select } from "@shopify/polaris";
import { useTranslation } from "react-i18next";
import { SearchField } from "./search-field.tsx";

export interface ListFiltersProps {
  tabs: { id: string; label: string; count: number }[];
  tab: string;
  onTab(id: string): void;
  search: string;
  searchLabel: string;
  onSearch(text: string): void;
  sort?: { value: string; options: { label: string; value: string }[]; onChange(value: string): void };
}

/** Filter, search and order of a list. It uses buttons, because Polaris's tabs measure themselves and shift the page when it opens. */
export function ListFilters({ tabs, tab, onTab, search, searchLabel, onSearch, sort }: ListFiltersProps) {
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
          </InlineStack>
        </div>
        <InlineGrid columns={sort ? { xs: 1, sm: ["twoThirds", "oneThird"] } : 1} gap="200">
          <SearchField label={searchLabel} search={search} onSearch={onSearch} />
          {sort && (
            <Select
              label={t("list.sort")}
              labelInline
              options={sort.options}
              value={sort.value}
              onChange={sort.onChange}
            />
          )}
        </InlineGrid>
      </BlockStack>
    </Box>
  );
}
