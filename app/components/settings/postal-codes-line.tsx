import { Box, Text } from "../../polaris/polaris.ts";
import { useTranslation } from "react-i18next";
import type { PostalEdition } from "../../domain/mexico/postal-codes.ts";
import { useSupport } from "../help/use-support.ts";
import { useFormat } from "../hooks/use-format.ts";

/** Whose list of postal codes is in use, as some of them ask to be named; or what one would add. */
export function PostalCodesLine({ edition }: { edition: PostalEdition | null }) {
  const { t } = useTranslation("settings");
  const { date } = useFormat();
  const { email } = useSupport();
  return (
    // On a phone a page has no margin of its own: only its cards touch the edge.
    <Box paddingInline={{ xs: "400", sm: "0" }}>
      <Text as="p" tone="subdued" variant="bodySm">
        {edition === null
          ? [t("postalCodes.none"), email && t("postalCodes.ask")].filter(Boolean).join(" ")
          : t("postalCodes.inUse", {
              source: t(`postalCodes.source.${edition.source}`),
              date: date(edition.importedAtMs),
              codes: edition.codes,
              settlements: edition.settlements,
            })}
      </Text>
    </Box>
  );
}
