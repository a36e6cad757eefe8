import { useEffect } from "react";

/** Everything on the page that a load of the page would lose. */
const unsaved = new Set<object>();

/** Says, as long as it is so, that something typed or begun would be lost if the page were loaded anew. */
export function useUnsaved(isUnsaved: boolean): void {
  useEffect(() => {
    if (!isUnsaved) return;
    const one = {};
    unsaved.add(one);
    return () => void unsaved.delete(one);
  }, [isUnsaved]);
}

/** Whether a load of the page would lose something, or take a field away under somebody's hands. */
export function isTyped(): boolean {
  return unsaved.size > 0 || document.activeElement?.matches("input, textarea, select") === true;
}
