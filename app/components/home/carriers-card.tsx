import { Box, Card, Text } from "@shopify/polaris";
import { useTranslation } from "react-i18next";
import { carrierName } from "../../domain/carriers.ts";
import type { CarrierCount } from "../../use-cases/views/home.ts";
import { useFormat } from "../shell/use-format.ts";

const COLUMNS = ["accepted", "waiting", "refused", "unverified"] as const;

/** How many origins each chosen carrier has accepted, in a table that fits a phone. */
export function CarriersCard({ carriers }: { carriers: CarrierCount[] }) {
  const { t } = useTranslation("home");
  const format = useFormat();
  return (
    <Card>
      <Text as="h2" variant="headingMd">
        {t("carriers.heading")}
      </Text>
      <Box paddingBlockStart="300">
        {carriers.length === 0 ? (
          <Text as="p" tone="subdued">
            {t("carriers.none")}
          </Text>
        ) : (
          <table className="origen-table origen-data">
            <thead>
              <tr>
                <th scope="col">{t("carriers.carrier")}</th>
                {COLUMNS.map((column) => (
                  <th key={column} scope="col">
                    {t(`carriers.${column}`)}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {carriers.map((count) => (
                <tr key={count.carrier}>
                  <th scope="row">{carrierName(count.carrier)}</th>
                  {COLUMNS.map((column) => (
                    <td key={column}>{format.number(count[column])}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </Box>
    </Card>
  );
}
