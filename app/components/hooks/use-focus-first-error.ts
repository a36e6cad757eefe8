import { useEffect } from "react";
import type { RefObject } from "react";

/**
 * Moves the focus to the first faulty field (`aria-invalid`, which Polaris sets from `error`) whenever a save failed with errors. `errors`
 * is the answer's own object, so every save has a new one.
 */
export function useFocusFirstError(form: RefObject<HTMLElement | null>, errors: object | null | undefined): void {
  useEffect(() => {
    if (!errors || Object.keys(errors).length === 0) return;
    const faulty = form.current?.querySelector<HTMLElement>('[aria-invalid="true"]');
    faulty?.focus({ preventScroll: true });
    // Centred, so that the message below the field is visible, too.
    faulty?.scrollIntoView({ block: "center" });
  }, [form, errors]);
}
