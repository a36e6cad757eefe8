import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { filledByCode, type FilledByCode, type TypedArea } from "../../domain/mexico/postal/said-by-code.ts";
import type { PostalFacts } from "../../domain/mexico/postal-codes.ts";
import { useAnnounce } from "../shell/announcer.tsx";

/**
 * Fills in what is empty when the facts of a code that somebody typed arrive, and says so; once for each code. What was filled in for the
 * code before, and nobody has changed, gives way to the new code's.
 */
export function useFill(now: {
  facts: PostalFacts | null;
  area: TypedArea;
  isTyped: boolean;
  fill(values: FilledByCode): void;
}): void {
  const { t } = useTranslation("addressBook");
  const announce = useAnnounce();
  const { facts } = now;
  const filled = useRef<FilledByCode>({});
  const fill = useRef<() => void>();
  fill.current = () => {
    if (!now.isTyped) return;
    const fills = filledByCode(now.area, { facts, before: filled.current });
    const names = Object.values(fills);
    if (names.length === 0) return;
    filled.current = { ...filled.current, ...fills };
    now.fill(fills);
    announce(t("filled", { names: names.join(", ") }));
  };
  useEffect(() => {
    if (facts) fill.current!();
  }, [facts]);
}
