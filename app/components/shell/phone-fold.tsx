import { BlockStack, Button, InlineStack, Text } from "../../polaris/polaris.ts";
import { useId, useState } from "react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";

export interface PhoneFoldProps {
  heading: string;
  as?: "h2" | "h3";
  /** What explains the heading. */
  beside?: ReactNode;
  /** It needs a person now, so it is not folded. */
  open?: boolean;
  gap?: "100" | "200" | "300" | "400";
  children: ReactNode;
}

/**
 * A part of a page that is seldom needed: folded under its heading where the page has one column, and always open where there is room
 * (`shell.css`). It opens by itself once it needs a person, and closes under nobody's hands.
 */
export function PhoneFold({ heading, as = "h2", beside, open = false, gap = "400", children }: PhoneFoldProps) {
  const id = useId();
  const [isShown, setShown] = useState(open);
  const [wasNeeded, setWasNeeded] = useState(open);
  if (open !== wasNeeded) {
    setWasNeeded(open);
    if (open) setShown(true);
  }
  return (
    <BlockStack gap={gap}>
      <div className="origen-fold-heading">
        <InlineStack gap="100" blockAlign="center">
          <Text as={as} variant={as === "h2" ? "headingMd" : "headingSm"}>
            {heading}
          </Text>
          {beside}
        </InlineStack>
        <FoldButton heading={heading} isShown={isShown} onPress={() => setShown(!isShown)} controls={id} />
      </div>
      <div id={id} className="origen-fold" data-folded={isShown ? undefined : ""}>
        {children}
      </div>
    </BlockStack>
  );
}

interface FoldButtonProps {
  heading: string;
  isShown: boolean;
  onPress(): void;
  /** The id of what it shows. */
  controls: string;
}

/** Shows and hides what stands under a heading; drawn only where the page has one column. */
export function FoldButton({ heading, isShown, onPress, controls }: FoldButtonProps) {
  const { t } = useTranslation("common");
  const words = t(isShown ? "fold.hide" : "fold.show");
  return (
    <div className="origen-fold-button">
      <Button
        variant="tertiary"
        disclosure={isShown ? "up" : "down"}
        onClick={onPress}
        ariaExpanded={isShown}
        ariaControls={controls}
        accessibilityLabel={`${words}: ${heading}`}
      >
        {words}
      </Button>
    </div>
  );
}
