import { BlockStack, Box, Button, Text } from "../../polaris/polaris.ts";

export interface NothingHereProps {
  heading: string;
  text: string;
  /** `_top` for a page of the admin. */
  action?: { content: string; url: string; target?: "_top" };
}

/** Why a page or a list is empty, and where to go from here. Polaris's `EmptyState` leaves room for a picture, and we have none. */
export function NothingHere({ heading, text, action }: NothingHereProps) {
  return (
    <Box paddingInline="400" paddingBlock="1000">
      <BlockStack gap="300" inlineAlign="center">
        <Text as="h2" variant="headingMd" alignment="center">
          {heading}
        </Text>
        <Text as="p" tone="subdued" alignment="center">
          {text}
        </Text>
        {action && (
          <Button variant="primary" url={action.url} {...(action.target ? { target: action.target } : {})}>
            {action.content}
          </Button>
        )}
      </BlockStack>
    </Box>
  );
}
