import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import type { Services } from "../../app/ports.ts";
import { SHOP } from "../fakes/records.ts";
import type { World } from "../fakes/world.ts";

/**
 * Posts a body to a route's own action, on the world in memory: its schema, its `perform` and the rooms' own functions. The two modules of
 * wiring are replaced (`posting-setup.ts`).
 */

/** Who posts, and on which world. */
export const asking = { services: null as unknown, shop: "" };

export interface Route {
  action(args: ActionFunctionArgs): Promise<Response>;
}

interface Page {
  loader(args: LoaderFunctionArgs): Promise<Response>;
}

/** Opens a page of a route's own loader, while the world's time goes on. Who opens gets the status, and where he is led. */
export async function opened(
  page: object,
  { world, params }: { world: World; params: Params },
): Promise<{ status: number; to: string | null }> {
  Object.assign(asking, { services: world.services, shop: SHOP });
  const asked = (page as Page).loader({ request: new Request("http://app.test/"), params, context: {} });
  const answer = await world.clock.runWhile(asked.catch((thrown: unknown) => thrown));
  if (!(answer instanceof Response)) throw answer;
  return { status: answer.status, to: answer.headers.get("Location") };
}

export interface Answer {
  status: number;
  /** The JSON that the page gets; null where there is none. */
  said: unknown;
}

export type Params = Record<string, string>;

/** The route's action with these services. Who posts gets the answer's status, also of an answer that is thrown. */
export async function act(
  route: Route,
  {
    services,
    shop = SHOP,
    params = {},
    headers = {},
    body,
  }: { services: Services; shop?: string; params?: Params; headers?: Record<string, string>; body: unknown },
): Promise<Answer> {
  Object.assign(asking, { services, shop });
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const request = new Request("http://app.test/", { method: "POST", headers, body: text });
  // The body has arrived: no virtual time passes while it is read.
  Object.assign(request, { text: async () => text, json: async () => JSON.parse(text) as unknown });
  const answer = await route.action({ request, params, context: {} }).catch((error: unknown) => error);
  if (!(answer instanceof Response)) throw answer;
  const said = await answer.text();
  return { status: answer.status, said: said === "" ? null : (JSON.parse(said) as unknown) };
}

/** Posts bodies of one type to one route, while the world's time goes on. `where`: the shop, if it is another, and the URL's parameters. */
export function posting<Body>(load: () => Promise<object>, params: Params = {}) {
  return async (world: World, body: Body, where: Params = {}): Promise<Answer> => {
    const route = (await load()) as Route;
    const { services } = world;
    const { shop, ...others } = where;
    return world.clock.runWhile(act(route, { services, shop, params: { ...params, ...others }, body }));
  };
}
