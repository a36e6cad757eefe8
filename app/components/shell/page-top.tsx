import { Box } from "../../polaris/polaris.ts";
import type { ReactNode } from "react";

/** A strip above a page, as wide as the page. */
export function PageTop({ children }: { children: ReactNode }) {
  return (
    <Box paddingInline={{ xs: "0", sm: "600" }} paddingBlockStart="400">
      <div className="origen-width">{children}</div>
    </Box>
  );
}
