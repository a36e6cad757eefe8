import { isRouteErrorResponse, useRouteError, useRouteLoaderData } from "@remix-run/react";
import type { Language } from "../../domain/records.ts";
import { DEFAULT_LANGUAGE, languageInstance } from "../../i18n.ts";

/** When even the shell could not be made: plain HTML, both what happened and what to do, never a stack. */
export function RootFailure() {
  const error = useRouteError();
  const root = useRouteLoaderData("root") as { language?: Language } | undefined;
  const words = languageInstance(root?.language ?? DEFAULT_LANGUAGE)?.i18n.getFixedT(null, "shell");
  const missing = isRouteErrorResponse(error) && error.status === 404;
  const key = missing ? "notFound" : "failure";
  return (
    <main className="origen-plain">
      <h1>{words?.(`${key}.title`)}</h1>
      <p>{words?.(`${key}.text`)}</p>
    </main>
  );
}
