import * as z from "zod";
import type { ActivityQuery, ActivityTopic } from "../../views/activity.ts";
import { ACTIVITY_ACTORS, ACTIVITY_OUTCOMES, ACTIVITY_TOPICS } from "../../views/activity.ts";

const day = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}$/)
  .nullable()
  .catch(null);

/** A parameter that cannot be read filters nothing. */
const filters = z.object({
  actor: z.enum(ACTIVITY_ACTORS).nullable().catch(null),
  outcome: z.enum(ACTIVITY_OUTCOMES).nullable().catch(null),
  topic: z
    .enum(Object.keys(ACTIVITY_TOPICS) as [ActivityTopic, ...ActivityTopic[]])
    .nullable()
    .catch(null),
  from: day,
  to: day,
  location: z.string().max(100).nullable().catch(null),
  page: z.coerce.number().int().min(1).catch(1),
});

/** `?actor=&outcome=&topic=&from=2026-11-20&to=&location=&page=` */
export function activityQueryOf(search: URLSearchParams): ActivityQuery {
  const asked = {
    actor: search.get("actor"),
    outcome: search.get("outcome"),
    topic: search.get("topic"),
    from: search.get("from"),
    to: search.get("to"),
    location: search.get("location"),
    page: search.get("page"),
  };
  const { location: locationId, ...query } = filters.parse(asked);
  return { ...query, locationId };
}
