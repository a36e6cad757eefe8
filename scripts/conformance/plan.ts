import { INVENTED } from "./probes/carriers.ts";

/** What a run is going to ask, for a person to read before saying --yes. */
export function planOf({
  host,
  carriers,
  followMs,
  open,
  cleanOnly,
}: {
  host: string;
  carriers: readonly string[];
  followMs: number;
  open: number;
  cleanOnly: boolean;
}): string {
  if (cleanOnly)
    return open > 0
      ? `This deletes ${open} scratch templates that earlier runs may have left at ${host}, and does nothing else.`
      : `The journal names nothing that earlier runs left at ${host}. Nothing is asked.`;
  return [
    `This asks the test environment at ${host}, at two requests a second at most:`,
    ...(open > 0 ? [`- deletes ${open} scratch templates that earlier runs may have left, and nothing else`] : []),
    "- makes three scratch templates, named ORIGEN-…, with an invented address, and deletes them at the end;",
    "  a fourth with an incomplete address, which should be refused, and is deleted where it is not",
    "- reads the list, and changes and deletes these templates only",
    `- asks these carriers to verify one of them: ${carriers.join(", ")};`,
    `  and one that nobody knows: ${INVENTED}. Then follows what they say for ${lengthOf(followMs)}`,
    "- gets a few tokens, sends one wrong secret, revokes one token of its own",
    "About 70 requests, up to 150 where much is refused. No other template of the account is changed; none is written down.",
  ].join("\n");
}

function lengthOf(ms: number): string {
  return ms < 60_000 ? `${ms / 1_000} s` : `${ms / 60_000} min`;
}
