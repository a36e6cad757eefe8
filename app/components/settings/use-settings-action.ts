import { useCallback } from "react";
import type { ActionOptions } from "../hooks/use-action.ts";
import { useAction } from "../hooks/use-action.ts";
import type { SettingsReply, SettingsRequest } from "./settings-actions.ts";

/** One request to the settings' action at a time, and its answer. */
export function useSettingsAction(options: ActionOptions = {}) {
  const fetcher = useAction<SettingsReply>(options);
  const { submit, notTaken } = fetcher;
  const send = useCallback(
    (request: SettingsRequest) =>
      submit(request as unknown as Parameters<typeof submit>[0], {
        method: "post",
        action: "/app/settings",
        encType: "application/json",
      }),
    [submit],
  );
  const busy = fetcher.state !== "idle";
  const answer = fetcher.data as SettingsReply | undefined;
  // `answer` comes before the page has read its data again, which may take the asking part of it away.
  return { send, busy, notTaken, answer, reply: busy ? undefined : answer };
}
