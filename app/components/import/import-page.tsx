import { BlockStack, Button, Card, InlineStack, List, Spinner, Text } from "../../polaris/polaris.ts";
import { useRef } from "react";
import { useTranslation } from "react-i18next";
import { FORM_FIELDS } from "../../domain/address/form-fields.ts";
import { MOST_ROWS } from "../../views/import.ts";
import type { JobView } from "../../views/job.ts";
import { useDownload } from "../hooks/use-download.ts";
import { useFormat } from "../hooks/use-format.ts";
import { JobProgress } from "../jobs/job-progress.tsx";
import { AppPage } from "../shell/app-page.tsx";
import { Notice } from "../shell/notice.tsx";
import { ImportPreviewCards } from "./import-preview.tsx";
import { useFaultWords } from "./use-fault-words.ts";
import { useImport } from "./use-import.ts";
import type { Import } from "./use-import.ts";
import "../origins/origins.css";

/** Details of many origins changed by a spreadsheet: chosen, looked at, and confirmed here. */
export function ImportPage({ job }: { job: JobView | null }) {
  const { t } = useTranslation(["import", "origins"]);
  const form = useImport();
  const words = useFaultWords();
  const { read } = form;
  return (
    <AppPage title={t("title")} backAction={{ content: t("origins:title"), url: "/app/origins" }}>
      <BlockStack gap="400">
        <JobProgress initial={job} />
        {form.isBusyElsewhere && <Notice tone="warning">{t("busy")}</Notice>}
        {form.differs && (
          <Notice tone="warning" title={t("differs.title")}>
            {t("differs.text")}
          </Notice>
        )}
        {read?.kind === "unreadable" && (
          <Notice tone="critical" title={t("unreadable", { name: form.name })}>
            {words.ofFile(read.fault)}
          </Notice>
        )}
        <Choice form={form} />
        {read?.kind === "read" && <ImportPreviewCards read={read} form={form} />}
      </BlockStack>
    </AppPage>
  );
}

function Choice({ form }: { form: Import }) {
  const { t } = useTranslation(["import", "common", "origins"]);
  const format = useFormat();
  const input = useRef<HTMLInputElement>(null);
  const { download, loading } = useDownload();
  const fields = format.list(FORM_FIELDS.map((field) => t(`common:fields.${field}`)));
  return (
    <Card>
      <BlockStack gap="300">
        <List type="number">
          <List.Item>{t("steps.download")}</List.Item>
          <List.Item>{t("steps.edit", { fields })}</List.Item>
          <List.Item>{t("steps.choose", { most: MOST_ROWS })}</List.Item>
        </List>
        <InlineStack gap="200" blockAlign="center">
          <Button loading={loading} onClick={() => download("/app/origins/export")}>
            {t("origins:download")}
          </Button>
          <Button
            variant={form.read?.kind === "read" ? "secondary" : "primary"}
            onClick={() => input.current?.click()}
            disabled={form.state !== "idle"}
          >
            {t(form.read ? "another" : "choose")}
          </Button>
          {form.state === "reading" && <Spinner size="small" accessibilityLabel={t("reading")} />}
        </InlineStack>
        {form.state === "reading" && (
          <Text as="p" tone="subdued">
            {t("reading")}
          </Text>
        )}
        <input
          ref={input}
          type="file"
          accept=".csv,.tsv,.txt,text/csv"
          hidden
          onChange={({ currentTarget }) => {
            const [file] = currentTarget.files ?? [];
            // So that the same file, saved anew, can be chosen again.
            currentTarget.value = "";
            if (file) form.choose(file);
          }}
        />
      </BlockStack>
    </Card>
  );
}
