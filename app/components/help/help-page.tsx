import { BlockStack, Card, Link, List, Text } from "../../polaris/polaris.ts";
import { useTranslation } from "react-i18next";
import { useShippingService } from "../hooks/use-shipping-service.ts";
import { AppPage } from "../shell/app-page.tsx";
import { HELP_QUESTIONS, HELP_TERMS } from "./terms.ts";
import { useSupport } from "./use-support.ts";

/** What the app does, what store owners ask, its words, and who helps. */
export function HelpPage() {
  const { t } = useTranslation("help");
  return (
    <AppPage title={t("title")}>
      <BlockStack gap="400">
        <Card>
          <BlockStack gap="200">
            <Text as="h2" variant="headingMd">
              {t("about.title")}
            </Text>
            <Text as="p">{t("about.text")}</Text>
          </BlockStack>
        </Card>
        <Explained title={t("questions.title")} of="questions" names={HELP_QUESTIONS} />
        <Explained title={t("terms.title")} of="terms" names={HELP_TERMS} />
        <Contact />
      </BlockStack>
    </AppPage>
  );
}

function Explained({ title, of, names }: { title: string; of: "questions" | "terms"; names: readonly string[] }) {
  const { t } = useTranslation("help");
  return (
    <Card>
      <BlockStack gap="300">
        <Text as="h2" variant="headingMd">
          {title}
        </Text>
        {names.map((name) => (
          <BlockStack gap="050" key={name}>
            <Text as="h3" variant="headingSm">
              {t(`${of}.${name}.name`)}
            </Text>
            <Text as="p">{t(`${of}.${name}.text`)}</Text>
          </BlockStack>
        ))}
      </BlockStack>
    </Card>
  );
}

/** Only what the settings of the process name. */
function Contact() {
  const { t } = useTranslation("help");
  const { email, privacyUrl, termsUrl } = useSupport();
  const { helpUrl } = useShippingService();
  const links = [
    ...(email === null ? [] : [{ url: `mailto:${email}`, words: t("contact.email", { email }) }]),
    ...(helpUrl === null ? [] : [{ url: helpUrl, words: t("contact.service") }]),
    ...(privacyUrl === null ? [] : [{ url: privacyUrl, words: t("contact.privacy") }]),
    ...(termsUrl === null ? [] : [{ url: termsUrl, words: t("contact.terms") }]),
  ];
  if (links.length === 0) return null;
  return (
    <Card>
      <BlockStack gap="200">
        <Text as="h2" variant="headingMd">
          {t("contact.title")}
        </Text>
        {email !== null && <Text as="p">{t("contact.say")}</Text>}
        <List>
          {links.map(({ url, words }) => (
            <List.Item key={url}>
              <Link url={url} target="_blank">
                {words}
              </Link>
            </List.Item>
          ))}
        </List>
      </BlockStack>
    </Card>
  );
}
