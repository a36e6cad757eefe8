import { useEffect, useMemo } from "react";
import type { ProblemCode } from "../../domain/address.ts";
import type { FormField, OriginView } from "../../use-cases/views/origin.ts";
import type { Draft } from "../shell/save-bar.tsx";
import { useDraft } from "../shell/save-bar.tsx";
import type { OriginAnswer } from "./origin-intent.ts";
import { useTouched } from "./use-touched.ts";

export type FormValues = Record<FormField, string>;

export interface DetailsForm {
  draft: Draft<FormValues>;
  /** What to show beside a field; typing there takes it away until the next save. */
  problemOf(field: FormField): ProblemCode | null;
  /** The service's own words about a field, while it holds what the service refused. */
  serviceWordsOf(field: FormField): string[];
  change(field: FormField, value: string): void;
  discard(): void;
}

/** The form of an origin's details: input survives a failed save and a page that reads its data anew. */
export function useDetailsForm(view: OriginView, answer: OriginAnswer | undefined): DetailsForm {
  const saved = useMemo<FormValues>(() => ({ ...view.form.contact, ...view.form.split }), [view.form]);
  const draft = useDraft(saved);
  const touched = useTouched<FormField>(answer);
  const { settle } = draft;
  useEffect(() => {
    if (answer?.intent === "save" && answer.kind === "done") settle();
  }, [answer, settle]);

  const refused = answer?.intent === "save" && answer.kind === "invalid" ? answer.problems : [];
  return {
    draft,
    problemOf(field) {
      if (touched.has(field)) return null;
      const fresh = refused.find((problem) => problem.field === field && problem.severity === "error");
      const known = view.fields.find((one) => one.field === field);
      if (fresh) return fresh.code;
      return known?.problem && known.problem !== "unconfirmed" && draft.values[field] === saved[field]
        ? known.problem
        : null;
    },
    serviceWordsOf(field) {
      const words = view.fields.find((one) => one.field === field)?.serviceMessages ?? [];
      return touched.has(field) || draft.values[field] !== saved[field] ? [] : words;
    },
    change(field, value) {
      touched.add(field);
      draft.set({ [field]: value });
    },
    discard() {
      touched.clear();
      draft.discard();
    },
  };
}
