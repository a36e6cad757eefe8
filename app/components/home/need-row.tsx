import { BlockStack, Button, Icon, InlineStack, Text } from "../../polaris/polaris.ts";
import { AlertCircleIcon, AlertTriangleIcon, CheckCircleIcon } from "../../polaris/icons.ts";
import type { FailureView } from "../../views/failure.ts";
import { FailureNote } from "../shell/failure-note.tsx";

export interface NeedRowProps {
  grave: boolean;
  text: string;
  detail?: string | undefined;
  /** What the need waits for, where the text does not say it. */
  why?: string | undefined;
  failure?: FailureView | null;
  /** Null where the link is elsewhere on the page. */
  way: { action: string; url: string } | null;
}

export function NeedRow({ grave, text, detail, why, failure, way }: NeedRowProps) {
  return (
    <li className="origen-row">
      <InlineStack gap="200" wrap={false} blockAlign="start">
        <Mark grave={grave} />
        <BlockStack gap="100">
          <BlockStack>
            <Text as="p" fontWeight="medium">
              {text}
            </Text>
            {detail && (
              <Text as="p" tone="subdued" breakWord>
                {detail}
              </Text>
            )}
          </BlockStack>
          {why && <Text as="p">{why}</Text>}
          {failure && <FailureNote failure={failure} />}
        </BlockStack>
      </InlineStack>
      {way && (
        <div>
          <Button url={way.url}>{way.action}</Button>
        </div>
      )}
    </li>
  );
}

/** `grave` null: nothing is wrong. */
export function Mark({ grave }: { grave: boolean | null }) {
  const icon = grave === null ? CheckCircleIcon : grave ? AlertCircleIcon : AlertTriangleIcon;
  const tone = grave === null ? "success" : grave ? "critical" : "caution";
  return (
    <span className="origen-icon">
      <Icon source={icon} tone={tone} />
    </span>
  );
}
