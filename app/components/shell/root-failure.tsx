import { isRouteErrorResponse, useRouteError } from "@remix-run/react";
import { languageInstance } from "../../i18n/i18n.ts";
import { useRequestLanguage } from "../../i18n/request-language.ts";

/** When even the shell could not be made: plain HTML, both what happened and what to do, never a stack. */
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
