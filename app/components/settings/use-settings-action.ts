import { useFetcher } from "@remix-run/react";
import { useCallback } from "react";
import type { SettingsReply, SettingsRequest } from "./settings-actions.ts";

/** One request to the settings' action at a time, and its answer. */
export function useSettingsAction() {
  const fetcher = useFetcher<SettingsReply>();
  const { submit } = fetcher;
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
  return { send, busy, reply: busy ? undefined : (fetcher.data as SettingsReply | undefined) };
}
