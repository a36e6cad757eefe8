import { BlockStack, Box, Button, Collapsible } from "../../polaris/polaris.ts";
import { useId, useState } from "react";
import type { ReactNode } from "react";

/** A section that few people need, folded under its name. Closed at first; another `key` opens it again. */
export function Folded({ label, open = false, children }: { label: string; open?: boolean; children: ReactNode }) {
  const [shown, setShown] = useState(open);
  const id = useId();
  return (
    <BlockStack gap="200" inlineAlign="start">
      <Button
        variant="plain"
        disclosure={shown ? "up" : "down"}
        onClick={() => setShown(!shown)}
        ariaExpanded={shown}
        ariaControls={id}
      >
        {label}
      </Button>
      <Box width="100%">
        <Collapsible id={id} open={shown}>
          <BlockStack gap="400">{children}</BlockStack>
        </Collapsible>
      </Box>
    </BlockStack>
  );
}
