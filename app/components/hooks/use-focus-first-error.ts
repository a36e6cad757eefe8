import { useEffect } from "react";
import type { RefObject } from "react";

/**
 * Moves the focus to the first faulty field (`aria-invalid`, which Polaris sets from `error`) whenever a save came back with errors.
 * `errors` is the answer's own object: a new one for each save.
 */
export function useFocusFirstError(form: RefObject<HTMLElement | null>, errors: object | null | undefined): void {
  useEffect(() => {
    if (!errors || Object.keys(errors).length === 0) return;
    const faulty = form.current?.querySelector<HTMLElement>('[aria-invalid="true"]');
    faulty?.focus({ preventScroll: true });
    // In the middle, so that the words below the field are seen too.
    faulty?.scrollIntoView({ block: "center" });
  }, [form, errors]);
}
