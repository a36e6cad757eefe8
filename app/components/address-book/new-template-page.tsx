import { useNavigate } from "@remix-run/react";
import { BlockStack, Box, Button, InlineStack } from "../../polaris/polaris.ts";
import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { AppPage } from "../shell/app-page.tsx";
import { NotTakenNote } from "../shell/not-taken.tsx";
import { SaveTrouble } from "./save-trouble.tsx";
import { TemplateFormCard } from "./template-form.tsx";
import { useTemplateForm } from "./use-template-form.ts";
import "../origins/origins.css";

/** A new template in the account, for an address that is no location of the store. */
export function NewTemplatePage({ draftId }: { draftId: string }) {
  const { t } = useTranslation("addressBook");
  const form = useTemplateForm({ action: "/app/address-book/new", base: null, alias: "", draftId });
  const { answer, draft } = form;
  const navigate = useNavigate();
  const made = answer?.intent === "save" && answer.outcome.kind === "done" ? answer.outcome : null;
  useEffect(() => {
    if (!made || draft.dirty) return;
    navigate(made.templateId ? `/app/address-book/${encodeURIComponent(made.templateId)}` : "/app/address-book", {
      replace: true,
    });
  }, [made, draft.dirty, navigate]);
  return (
    <AppPage
      title={t("new.title")}
      subtitle={t("new.subtitle")}
      backAction={{ content: t("title"), url: "/app/address-book" }}
    >
      <BlockStack gap="400">
        <SaveTrouble answer={answer} />
        <TemplateFormCard form={form} carriers={[]} />
        {/* A phone's page has no margin of its own. */}
        <Box paddingInline={{ xs: "400", sm: "0" }}>
          <BlockStack gap="300">
            <NotTakenNote why={form.notTaken} />
            <InlineStack align="end">
              <Button variant="primary" loading={form.busy} onClick={form.save}>
                {t("new.save")}
              </Button>
            </InlineStack>
          </BlockStack>
        </Box>
      </BlockStack>
    </AppPage>
  );
}
