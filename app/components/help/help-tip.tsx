import { Icon } from "../../polaris/polaris.ts";
import { QuestionCircleIcon } from "../../polaris/icons.ts";
import { useTranslation } from "react-i18next";
import { Why } from "../list/why.tsx";
import type { HelpTerm } from "./terms.ts";

/** A "?" beside a word that a store owner may not know. It is answered in place, with the words of the help page. */
export function HelpTip({ term }: { term: HelpTerm }) {
  const { t } = useTranslation("help");
  return (
    <Why lines={[t(`terms.${term}.text`)]}>
      <Icon
        source={QuestionCircleIcon}
        tone="subdued"
        accessibilityLabel={t("tip", { term: t(`terms.${term}.name`) })}
      />
    </Why>
  );
}
