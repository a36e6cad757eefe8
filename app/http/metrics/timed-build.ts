import type { ServerBuild } from "@remix-run/node";

/** Tells how long a route's loader or action took, and with which status it ended. */
export type Routed = (route: string, part: "loader" | "action", end: { seconds: number; outcome: string }) => void;

/** Is told of each loader and action that there is before any of them runs. */
export type RouteKnown = (route: string, part: "loader" | "action") => void;

type Handler = (input: unknown) => unknown;

/** The same build, whose loaders and actions tell. A route is named by its file, so no address with an id is a label. */
export function timedBuild(
  build: ServerBuild,
  { routed, routeKnown }: { routed: Routed; routeKnown: RouteKnown },
): ServerBuild {
  const routes = Object.entries(build.routes).map(([id, route]) => {
    if (!route) return [id, route];
    const timed = (part: "loader" | "action"): Handler | undefined => {
      const handler = route.module[part] as Handler | undefined;
      if (!handler) return undefined;
      routeKnown(id, part);
      return async (input) => {
        const sinceMs = performance.now();
        const end = (outcome: string) => routed(id, part, { seconds: (performance.now() - sinceMs) / 1_000, outcome });
        try {
          const result = await handler(input);
          end(outcomeOf(result));
          return result;
        } catch (thrown) {
          end(thrown instanceof Response ? outcomeOf(thrown) : "failed");
          throw thrown;
        }
      };
    };
    const [loader, action] = [timed("loader"), timed("action")];
    const module = { ...route.module, ...(loader && { loader }), ...(action && { action }) };
    return [id, { ...route, module }];
  });
  return { ...build, routes: Object.fromEntries(routes) as ServerBuild["routes"] };
}

/** A loader may give data without a status, which is a success. */
function outcomeOf(result: unknown): string {
  return result instanceof Response ? `${Math.floor(result.status / 100)}xx` : "2xx";
}
