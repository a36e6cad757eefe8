import type { ConnectionRef, Tables } from "../ports.ts";

/** What is known of who made a template: no unclear create is told that it made what another one has. */

type Environment = ConnectionRef["environment"];

/** Whether a location's create made the template, or a form was told of it: then no other create made it. */
export async function isKnownMade(
  tables: Pick<Tables, "connections" | "links" | "drafts">,
  { environment, templateId }: { environment: Environment; templateId: string },
): Promise<boolean> {
  if ((await tables.links.count({ environment, templateId, how: "created" })) > 0) return true;
  return (await madeByForms(tables, { environment, templateIds: [templateId] })).size > 0;
}

/** Of these templates, those that a form was told of: it made them, or may have. */
export async function madeByForms(
  tables: Pick<Tables, "connections" | "drafts">,
  { environment, templateIds }: { environment: Environment; templateIds: string[] },
): Promise<Set<string>> {
  const forms = await tables.drafts.list({ operation: "create", templateId: { in: templateIds } });
  const there = await sentWithin(tables, { environment, sent: forms });
  return new Set(there.flatMap(({ templateId }) => templateId ?? []));
}

/** What was sent over a connection of this environment. */
export async function sentWithin<R extends { connectionId: string }>(
  tables: Pick<Tables, "connections">,
  { environment, sent }: { environment: Environment; sent: R[] },
): Promise<R[]> {
  const within = new Set<string>();
  for (const id of new Set(sent.map(({ connectionId }) => connectionId)))
    if ((await tables.connections.count({ id, environment })) > 0) within.add(id);
  return sent.filter(({ connectionId }) => within.has(connectionId));
}
