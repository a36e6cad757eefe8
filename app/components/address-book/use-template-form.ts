import { useEffect, useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { AddressField } from "../../domain/address/address.ts";
import { ADDRESS_FIELDS } from "../../domain/address/address.ts";
import { saidByCode } from "../../domain/mexico/postal/said-by-code.ts";
import type { AddressWarning } from "../../domain/label/warnings.ts";
import { warningsOf } from "../../domain/label/warnings.ts";
import { placeWords } from "../../domain/verification/field-words.ts";
import type { PostalFacts } from "../../domain/mexico/postal-codes.ts";
import type { AddressTemplate, OwnField, TemplateDraft } from "../../domain/records.ts";
import type { NotTaken } from "../../views/not-taken.ts";
import { useAction } from "../hooks/use-action.ts";
import { usePostalFacts } from "../hooks/use-postal-facts.ts";
import { useServiceWords } from "../hooks/use-service-words.ts";
import { useTouched } from "../origin/use-touched.ts";
import { useAnnounce } from "../shell/announcer.tsx";
import type { Draft } from "../shell/save-bar.tsx";
import { useDraft } from "../shell/save-bar.tsx";
import { useToast } from "../hooks/use-toast.ts";
import type { TemplateAnswer, TemplateIntent } from "./template-intent.ts";
import { useFill } from "./use-fill.ts";

export type TemplateField = AddressField | Exclude<OwnField, "default">;
export type TemplateValues = Record<TemplateField, string> & { default: boolean };

export interface TemplateForm {
  draft: Draft<TemplateValues>;
  busy: boolean;
  answer: TemplateAnswer | undefined;
  /** Why the last form was not taken; null when it was. */
  notTaken: NotTaken | null;
  errorOf(field: TemplateField): string | undefined;
  /** The account's value where the person has typed another one; null where both are the same, and for a new template. */
  there(field: TemplateField): string | null;
  /** What the list says of the postal code in the form. */
  facts: PostalFacts | null;
  /** What the postal code says where something else was written; null where they agree. */
  codeSays(field: TemplateField): string | null;
  /** Of what the form holds now. */
  warnings: readonly AddressWarning[];
  change(field: TemplateField, value: string): void;
  /** Several fields at once. */
  fill(values: Partial<Record<AddressField, string>>): void;
  save(): void;
  remove(): void;
  discard(): void;
}

/** The time between two polls of a save under way, in milliseconds: short at first, then longer and longer. */
const FIRST_LOOK_MS = 1_500;
const LONGEST_LOOK_MS = 15_000;

function valuesOf(template: AddressTemplate | null, alias: string): TemplateValues {
  const fields = Object.fromEntries(ADDRESS_FIELDS.map((field) => [field, template?.address[field] ?? ""])) as Record<
    AddressField,
    string
  >;
  return {
    ...fields,
    country_code: fields.country_code || "MX",
    alias_name: alias,
    address_type: template?.address_type ?? "from",
    default: template?.default ?? false,
  };
}

/**
 * The form of a template. A refusal keeps the typed values. Each try has an id that was made before it was sent, so that a double press is
 * one change. A save under way is polled until it has ended.
 */
export function useTemplateForm(input: {
  action: string;
  base: AddressTemplate | null;
  alias: string;
  draftId: string;
}): TemplateForm {
  const { action, base, alias } = input;
  const { t } = useTranslation(["addressBook", "common", "problems"]);
  const serviceWords = useServiceWords();
  const { submit, data, state, notTaken } = useAction<TemplateAnswer>({ told: "beside" });
  const answer = useMemo(() => data && withPlacedWords(data), [data]);
  const saved = useMemo(() => valuesOf(base, alias), [base, alias]);
  const draft = useDraft<TemplateValues>(saved);
  const [draftId, setDraftId] = useState(input.draftId);
  const touched = useTouched<TemplateField>(answer);
  // The values that filled the form. If the template was read again meanwhile, its new values must not count as seen by the person.
  const seen = useRef(base);
  if (!draft.dirty) seen.current = base;
  const sent = useRef<TemplateIntent | null>(null);
  const lookMs = useRef(FIRST_LOOK_MS);
  /** The last answer that was handled. When the page reads its data again, the same answer must not discard what was typed since. */
  const ended = useRef<TemplateAnswer | null>(null);
  const send = (intent: TemplateIntent) => {
    sent.current = intent;
    submit(JSON.stringify(intent), { method: "post", action, encType: "application/json" });
  };
  const sendRef = useRef(send);
  sendRef.current = send;

  const facts = usePostalFacts(draft.values.country_code === "MX" ? draft.values.postal_code : "");
  const said = saidByCode(draft.values, facts);
  useFill({ facts, area: draft.values, isTyped: touched.has("postal_code"), fill: draft.set });

  useTell(answer);
  const { markSaved } = draft;
  useEffect(() => {
    if (!answer || !("nextDraftId" in answer)) return;
    if (answer.outcome.kind === "under_way") {
      const timer = setTimeout(() => {
        lookMs.current = Math.min(LONGEST_LOOK_MS, lookMs.current * 1.5);
        if (sent.current) sendRef.current(sent.current);
      }, lookMs.current);
      return () => clearTimeout(timer);
    }
    lookMs.current = FIRST_LOOK_MS;
    setDraftId(answer.nextDraftId);
    // Wait until the page has read the saved values: until then the former values would appear for a moment.
    if (state !== "idle" || ended.current === answer) return;
    ended.current = answer;
    // The person has now been told of the other's change, so the next save is based on it.
    if (answer.outcome.kind === "conflict") seen.current = base;
    if (answer.outcome.kind === "done" || answer.outcome.kind === "gone") markSaved();
  }, [answer, state, markSaved, base]);

  const fill = (values: Partial<Record<TemplateField, string>>) => {
    for (const field of Object.keys(values)) touched.add(field as TemplateField);
    draft.set(values as Partial<TemplateValues>);
  };
  const outcome = answer?.intent === "save" ? answer.outcome : null;
  return {
    draft,
    busy: state !== "idle" || outcome?.kind === "under_way",
    answer,
    // A look at a save under way asks again by itself.
    notTaken: outcome?.kind === "under_way" ? null : notTaken,
    errorOf(field) {
      if (touched.has(field)) return undefined;
      const problem = outcome?.kind === "invalid" ? outcome.problems.find((one) => one.field === field) : undefined;
      if (problem) return t(`problems:${problem.code}`);
      if (outcome?.kind === "unkept" && outcome.fields.includes(field)) return t("trouble.asItWas");
      const words = outcome?.kind === "refused" ? outcome.fields[field] : undefined;
      return words && words.length > 0 ? words.map(serviceWords).join(" ") : undefined;
    },
    there: (field) => (base && draft.values[field] !== saved[field] ? saved[field] : null),
    facts,
    codeSays: (field) => (field === "area_level1" || field === "area_level2" ? (said.differs[field] ?? null) : null),
    warnings: warningsOf(draft.values),
    change: (field, value) => fill({ [field]: value }),
    fill,
    save: () => send({ intent: "save", draftId, draft: draftOf(draft.values), base: seen.current }),
    remove: () => send({ intent: "delete", draftId }),
    discard() {
      touched.clear();
      draft.discard();
    },
  };
}

/** A refusal with its words beside the fields that they speak of. */
function withPlacedWords(answer: TemplateAnswer): TemplateAnswer {
  if (answer.intent !== "save" || answer.outcome.kind !== "refused") return answer;
  return { ...answer, outcome: { ...answer.outcome, ...placeWords(answer.outcome) } };
}

function draftOf(values: TemplateValues): TemplateDraft {
  const { alias_name, address_type } = values;
  const attributes = Object.fromEntries(ADDRESS_FIELDS.map((field) => [field, values[field].trim() || null]));
  return { alias_name: alias_name.trim(), address_type, default: values.default, address_attributes: attributes };
}

function useTell(answer: TemplateAnswer | undefined): void {
  const { t } = useTranslation("addressBook");
  const toast = useToast();
  const announce = useAnnounce();
  const told = useRef(answer);
  const before = useRef<string | null>(null);
  useEffect(() => {
    if (!answer || told.current === answer) return;
    told.current = answer;
    const again = answer.outcome.kind === "under_way" && before.current === "under_way";
    before.current = answer.outcome.kind;
    if (answer.outcome.kind === "quiet" || again) return;
    const words = t(`answer.${answer.intent}.${answer.outcome.kind}`);
    toast(words);
    announce(words);
  }, [answer, t, toast, announce]);
}
