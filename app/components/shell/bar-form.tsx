import { useRef } from "react";
import type { ReactNode } from "react";
import { SaveBar } from "./save-bar.tsx";
import type { SaveBarProps } from "./save-bar.tsx";
import { useFocusFirstError } from "../hooks/use-focus-first-error.ts";

export interface BarFormProps extends SaveBarProps {
  /** The answer of a failed save; a new one moves the focus to the first faulty field. */
  failed: object | null | undefined;
  /** The form's anchor for links. */
  formId?: string;
  children: ReactNode;
}

/** A form under Shopify's save bar. Enter saves, too, and a failed save leads to its first error. */
export function BarForm({ failed, formId, children, ...bar }: BarFormProps) {
  const root = useRef<HTMLFormElement>(null);
  useFocusFirstError(root, failed);
  return (
    <form
      ref={root}
      {...(formId ? { id: formId } : {})}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        bar.onSave();
      }}
    >
      <SaveBar {...bar} />
      {children}
      <button type="submit" className="origen-visually-hidden" tabIndex={-1} aria-hidden="true" />
    </form>
  );
}
