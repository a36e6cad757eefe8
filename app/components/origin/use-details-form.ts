import { useEffect, useMemo, useRef } from "react";
import type { FormField } from "../../domain/address/form-fields.ts";
import { FORM_CONTACT_FIELDS, FORM_FIELDS } from "../../domain/address/form-fields.ts";
import type { FieldProblem, ProblemCode } from "../../domain/address/address.ts";
import type { FieldView, OriginView } from "../../views/origin.ts";
import type { Draft } from "../shell/save-bar.tsx";
import { useDraft } from "../shell/save-bar.tsx";
import type { StatedValues } from "./origin-intent.ts";
import type { OriginActions } from "./use-origin-actions.ts";
import { useTouched } from "./use-touched.ts";

export type FormValues = Record<FormField, string>;

export interface DetailsForm {
  draft: Draft<FormValues>;
  /** The problem to show beside a field; typing in the field clears it until the next save. */
  problemOf(field: FormField): ProblemCode | null;
  /** Somebody has saved with this problem. Before, it is only told: nobody has done anything wrong yet. */
  isErrorNow(field: FormField): boolean;
  /** The service's words about a field, as long as the field holds the value that the service refused. */
  serviceWordsOf(field: FormField): string[];
  /** What carriers answered about a field, as long as the field holds the value that they answered about. */
  carrierWordsOf(field: FormField): FieldView["carrierWords"];
  change(field: FormField, value: string): void;
  /** Several fields at once. */
  fill(values: Partial<FormValues>): void;
  discard(): void;
  /** What a save sends. */
  stated(): { revision: number; readFrom: string; values: StatedValues };
}

/** The form of an origin's details. It keeps what was typed when a save fails and when the page reads its data again. */
export function useDetailsForm(
  view: OriginView,
  { answer, busy }: Pick<OriginActions, "answer" | "busy">,
): DetailsForm {
  const reading = busy !== null;
  const saved = useMemo<FormValues>(() => ({ ...view.form.contact, ...view.form.split }), [view.form]);
  const draft = useDraft(saved);
  // The values that were shown when the typing began. A save is based on them, whatever the page reads meanwhile.
  const basis = useRef(view.form);
  if (!draft.dirty) basis.current = view.form;
  const told = !reading && (answer?.kind === "stale" || answer?.kind === "moved");
  useEffect(() => {
    if (told) basis.current = view.form;
  }, [told, view.form]);

  const touched = useTouched<FormField>(answer);
  const { markSaved } = draft;
  // Wait until the page has read the saved values: until then the former values would appear for a moment.
  const saidDone = !reading && answer?.intent === "save" && answer.kind === "done" ? answer : null;
  useEffect(() => {
    if (saidDone) markSaved();
  }, [saidDone, markSaved]);

  const shown = (field: FormField) => view.fields.find((one) => one.field === field);
  const isChanged = (field: FormField) => touched.has(field) || draft.values[field] !== saved[field];
  const isFault = (problem: FieldProblem, field: FormField) => problem.field === field && problem.severity === "error";
  const refused = answer?.intent === "save" && answer.kind === "invalid" ? answer.problems : [];
  return {
    draft,
    stated() {
      const { revision, readFrom } = basis.current;
      const values: StatedValues = { ...draft.values };
      for (const field of FORM_CONTACT_FIELDS) if (values[field] === saved[field]) delete values[field];
      return { revision, readFrom, values };
    },
    isErrorNow: (field) => !touched.has(field) && refused.some((problem) => isFault(problem, field)),
    problemOf(field) {
      if (touched.has(field)) return null;
      const fresh = refused.find((problem) => isFault(problem, field));
      const known = shown(field);
      if (fresh) return fresh.code;
      return known?.problem && known.problem !== "unconfirmed" && draft.values[field] === saved[field]
        ? known.problem
        : null;
    },
    serviceWordsOf(field) {
      return isChanged(field) ? [] : (shown(field)?.serviceMessages ?? []);
    },
    carrierWordsOf(field) {
      return isChanged(field) ? [] : (shown(field)?.carrierWords ?? []);
    },
    change(field, value) {
      touched.add(field);
      draft.set({ [field]: value });
    },
    fill(values) {
      for (const field of FORM_FIELDS) if (field in values) touched.add(field);
      draft.set(values);
    },
    discard() {
      touched.clear();
      draft.discard();
    },
  };
}
