import { Tooltip } from "../../polaris/polaris.ts";
import type { ReactNode } from "react";

export interface WhyProps {
  /** One line each; nothing to explain where there are none. */
  lines: string[];
  children: ReactNode;
}

/** A cell's short word whose reason is shown under the pointer, with the focus, and at a touch, which does not open the row. */
export function Why({ lines, children }: WhyProps) {
  if (lines.length === 0) return <>{children}</>;
  return (
    <Tooltip
      dismissOnMouseOut
      content={lines.map((line) => (
        <span className="origen-line" key={line}>
          {line}
        </span>
      ))}
    >
      <button type="button" className="origen-why" onClick={(press) => press.stopPropagation()}>
        {children}
      </button>
    </Tooltip>
  );
}
