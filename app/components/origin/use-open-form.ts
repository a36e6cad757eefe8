import { useLocation } from "@remix-run/react";
import { useEffect, useRef, useState } from "react";
import type { RefObject } from "react";
import type { OriginView } from "../../views/origin.ts";
import type { DetailsForm } from "./use-details-form.ts";

/** Where links to the form lead. */
export const DETAILS_ID = "details";

/** States in which the form is what the owner has to do next. */
const ASKS: readonly OriginView["state"][] = ["to_review", "incomplete", "changing", "refused_by_service"];

export interface OpenForm {
  isOpen: boolean;
  /** Opens it, with the focus in its first field. */
  open(): void;
  root: RefObject<HTMLDivElement>;
}

/**
 * The form is open where it is what comes next, where a link leads to it, and once somebody opened it: it closes under nobody's hands.
 */
export function useOpenForm({ view, form }: { view: OriginView; form: DetailsForm }): OpenForm {
  const isLed = useLocation().hash === `#${DETAILS_ID}`;
  // Answers about a field stand beside it.
  const isAnswered = view.fields.some((one) => one.serviceMessages.length + one.carrierWords.length > 0);
  const asks = ASKS.includes(view.state) || isAnswered || isLed || form.draft.dirty;
  const [wasOpen, setWasOpen] = useState(asks);
  if (asks && !wasOpen) setWasOpen(true);
  const [isPressed, setIsPressed] = useState(false);
  const root = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isPressed) root.current?.querySelector("input")?.focus();
  }, [isPressed]);
  return { isOpen: asks || wasOpen || isPressed, open: () => setIsPressed(true), root };
}
