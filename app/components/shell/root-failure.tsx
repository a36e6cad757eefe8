import { isRouteErrorResponse, useRouteError } from "@remix-run/react";
import { languageInstance } from "../../i18n/i18n.ts";
import { useRequestLanguage } from "../../i18n/request-language.ts";

/** For when even the shell failed: plain HTML that says what happened and what to do, and never shows a stack. */
export function RootFailure() {
  const error = useRouteError();
  const words = languageInstance(useRequestLanguage())?.i18n.getFixedT(null, "shell");
  const missing = isRouteErrorResponse(error) && error.status === 404;
  const key = missing ? "notFound" : "failure";
  return (
    <main className="origen-plain">
      <h1>{words?.(`${key}.title`)}</h1>
      <p>{words?.(`${key}.text`)}</p>
    </main>
  );
}
