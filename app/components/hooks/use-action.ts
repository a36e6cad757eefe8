import { useFetcher } from "@remix-run/react";
import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import type { NotTaken } from "../../views/not-taken.ts";
import { isNotTaken } from "../../views/not-taken.ts";
import { useAnnounce } from "../shell/announcer.tsx";
import { notTakenWords, useTellNotTaken } from "../shell/not-taken.tsx";

type Fetcher<T> = ReturnType<typeof useFetcher<T>>;

export interface Action<T> {
  submit: Fetcher<T>["submit"];
  state: Fetcher<T>["state"];
  /** The last answer of the route itself. A form that was not taken leaves it as it was. */
  data: Fetcher<T>["data"];
  /** Why the last form was not taken; null when it was. */
  notTaken: NotTaken | null;
}

export interface ActionOptions {
  key?: string;
  /**
   * Where a form that was not taken is told: above the page, or beside the form by the caller (`<NotTakenNote>`), or nowhere, for what no person
   * asked for.
   */
  told?: "above" | "beside" | "nowhere";
}

/**
 * Sends forms to a route's action. A form that was not taken, because its shop had no share left or the app did not answer, leaves the page as
 * it is, and is sent again by another press.
 */
export function useAction<T = unknown>({ key, told = "above" }: ActionOptions = {}): Action<T> {
  const { submit, state, data } = useFetcher<T>(key === undefined ? {} : { key });
  const announce = useAnnounce();
  const { t } = useTranslation("shell");
  const last = useRef<Fetcher<T>["data"]>(undefined);
  const refused: NotTaken | null = isNotTaken(data) ? data : null;
  if (refused === null) last.current = data;
  const notTaken = state === "idle" ? refused : null;
  useTellNotTaken(told === "above" ? notTaken : null);
  useEffect(() => {
    if (notTaken && told !== "nowhere") announce(notTakenWords(t, notTaken).text);
  }, [notTaken, told, announce, t]);
  return { submit, state, data: last.current, notTaken };
}
