import { Text } from "../../polaris/polaris.ts";
import { Age } from "../shell/age.tsx";

/** How old a list's data is; `never` where it was not read yet. `before` is a word of caution in front. */
export function AsOf({
  atMs,
  words,
  never,
  before,
}: {
  atMs: number | null;
  words: string;
  never: string;
  before?: string;
}) {
  return (
    <Text as="p" tone="subdued" alignment="center">
      {before && `${before} `}
      {atMs === null ? (
        never
      ) : (
        <>
          {words} <Age atMs={atMs} />
        </>
      )}
    </Text>
  );
}
