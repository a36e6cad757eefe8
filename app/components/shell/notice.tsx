import { Banner, BlockStack, Button, Card, InlineStack, Text } from "../../polaris/polaris.ts";
import type { ReactNode } from "react";
import { useToldAbove } from "../hooks/use-told-above.ts";

export interface NoticeAction {
  content: string;
  onAction?: () => void;
  loading?: boolean;
  url?: string;
  external?: boolean;
}

export interface NoticeProps {
  tone: "info" | "warning" | "critical";
  title?: string;
  action?: NoticeAction;
  secondaryAction?: NoticeAction;
  children?: ReactNode;
}

/** What a page has to say first. Where the banner above every page speaks already, it is a card: there are never two banners. */
export function Notice({ children, ...props }: NoticeProps) {
  const isSecond = useToldAbove() !== null;
  if (!isSecond) return <Banner {...props}>{children}</Banner>;
  const { title, action, secondaryAction } = props;
  return (
    <Card>
      <BlockStack gap="300">
        {title && (
          <Text as="h2" variant="headingMd">
            {title}
          </Text>
        )}
        {children && (typeof children === "string" ? <Text as="p">{children}</Text> : children)}
        {action && (
          <InlineStack gap="200">
            {[action, secondaryAction].map((one) => one && <NoticeButton key={one.content} action={one} />)}
          </InlineStack>
        )}
      </BlockStack>
    </Card>
  );
}

function NoticeButton({ action: { content, onAction, ...button } }: { action: NoticeAction }) {
  return (
    <Button {...button} {...(onAction ? { onClick: onAction } : {})}>
      {content}
    </Button>
  );
}
