import { BlockStack, Box, Card, Checkbox, Layout, Select } from "../../polaris/polaris.ts";
import { useEffect, useRef } from "react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { FieldProblem } from "../../domain/address/address.ts";
import { longestOf } from "../../domain/address/form-fields.ts";
import type { Policies } from "../../domain/records.ts";
import type { SettingsView, ShopSettings } from "../../views/settings.ts";
import { StaleBanner } from "../shell/stale-banner.tsx";
import { SaveBar, useDraft } from "../shell/save-bar.tsx";
import { NotTakenNote } from "../shell/not-taken.tsx";
import { useAnnounce } from "../shell/announcer.tsx";
import { useFocusFirstError } from "../hooks/use-focus-first-error.ts";
import { useToast } from "../hooks/use-toast.ts";
import { CarrierChoice } from "./carrier-choice.tsx";
import { ContactFields } from "../contact/contact-fields.tsx";
import { PolicyFields } from "./policy-fields.tsx";
import { useSettingsAction } from "./use-settings-action.ts";

type ShopFormValues = Policies & Pick<ShopSettings, "contact" | "language">;

/** Everything the save bar saves: carriers, policies, the shop's contact, the language. */
export function ShopForm({ view }: { view: SettingsView }) {
  const { t } = useTranslation(["settings", "common"]);
  const toast = useToast();
  const announce = useAnnounce();
  const form = useRef<HTMLDivElement>(null);
  const { settings, revision } = view;
  const draft = useDraft<ShopFormValues>(flat(settings));
  const { send, busy, reply, notTaken } = useSettingsAction({ told: "beside" });
  const outcome = reply?.intent === "save" ? reply.outcome : undefined;
  const { values, set, markSaved } = draft;
  const refused = outcome?.kind === "invalid" ? outcome.problems : [];
  const problems = refused.filter((problem): problem is FieldProblem => problem.field !== "aliasPattern");
  const isMissing = values.aliasPattern.trim() === "";
  const isLong = refused.some(({ field }) => field === "aliasPattern");
  const tooLong = isLong ? t("policies.aliasPatternTooLong", { most: longestOf("aliasPattern") }) : undefined;
  const patternError = isMissing ? t("policies.aliasPatternMissing") : tooLong;
  useFocusFirstError(form, outcome?.kind === "invalid" ? outcome : null);

  useEffect(() => {
    if (outcome?.kind === "saved") {
      markSaved();
      toast(t("common:saved"));
      announce(t("common:saved"));
    }
    if (outcome?.kind === "invalid") announce(t("common:notSaved", { count: outcome.problems.length }));
  }, [announce, outcome, markSaved, t, toast]);

  const save = () => {
    if (isMissing) return form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
    send({ intent: "save", revision, settings: nested(values) });
  };

  return (
    <div ref={form}>
      <SaveBar dirty={draft.dirty} saving={busy} onSave={save} onDiscard={draft.discard} />
      {outcome?.kind === "stale" && draft.dirty && (
        <Box paddingBlockEnd="400">
          <StaleBanner onReload={draft.discard} />
        </Box>
      )}
      {notTaken !== null && (
        <Box paddingBlockEnd="400">
          <NotTakenNote why={notTaken} />
        </Box>
      )}
      <Layout>
        <Section id="contact" title={t("contact.heading")} about={t("contact.about")}>
          <ContactFields
            values={values.contact}
            problems={problems}
            onChange={(field, value) => set({ contact: { ...values.contact, [field]: value || null } })}
          />
        </Section>
        <Section title={t("carriers.heading")} about={t("carriers.about")}>
          <CarrierChoice known={view.carriers} chosen={values.carriers} onChange={(carriers) => set({ carriers })} />
          <Checkbox
            label={t("carriers.verifyAfterChange")}
            checked={values.verifyAfterChange}
            onChange={(verifyAfterChange) => set({ verifyAfterChange })}
          />
        </Section>
        <Section title={t("policies.heading")} about={t("policies.about")}>
          <PolicyFields values={values} locations={view.locations} patternError={patternError} onChange={set} />
        </Section>
        <Section title={t("language.heading")} about={t("language.about")}>
          <Select
            label={t("language.label")}
            value={values.language ?? "automatic"}
            onChange={(chosen) => set({ language: chosen === "en" || chosen === "es-MX" ? chosen : null })}
            options={[
              { value: "automatic", label: t("language.automatic") },
              // Each language under its own name, so that its speakers find it.
              { value: "es-MX", label: "Español (México)" },
              { value: "en", label: "English" },
            ]}
          />
        </Section>
      </Layout>
    </div>
  );
}

function Section({ id, title, about, children }: { id?: string; title: string; about: string; children: ReactNode }) {
  return (
    <Layout.AnnotatedSection {...(id ? { id } : {})} title={title} description={about}>
      <Card>
        <BlockStack gap="400">{children}</BlockStack>
      </Card>
    </Layout.AnnotatedSection>
  );
}

function flat({ language, policies, contact }: ShopSettings): ShopFormValues {
  return { language, contact, ...policies };
}

function nested({ language, contact, ...policies }: ShopFormValues): ShopSettings {
  return { language, policies, contact };
}
