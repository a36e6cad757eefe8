import { createPath, matchRoutes } from "@remix-run/react";
import { UNANSWERED } from "../../views/not-taken.ts";
import type { Ending } from "./answered.ts";
import { endingOf } from "./answered.ts";
import { setOutage } from "./outage-state.ts";
import { documentOf, isOfAnotherRelease, meetNewerRelease } from "./release.ts";

type Router = typeof window.__remixRouter;
type Route = Router["routes"][number];
type Handler = (args: { request: Request }, ...rest: unknown[]) => unknown;

/** What any release answers, and fast. */
const REVISION = "/app/revision";

/**
 * Keeps an open page while the app is away, for a restart or longer. The router would show its error page in place of a page as soon as one
 * request failed, and what was typed would be gone. So each loader and action is asked through this:
 *
 * - what is read again in the background keeps the data that it has;
 * - another page that cannot be read is not gone to, and `<OutageBanner>` says so;
 * - a form, and what a hook reads by itself, is answered `UNANSWERED`, which `useAction` and `useLoad` tell.
 *
 * The same holds for what the app does not read because the shop had no share left. A newer release of the app may answer in another shape
 * than the page knows, so its data is not shown in an old page. That release has no scripts of the old one either, so another page of it is
 * loaded as a document.
 */
export function holdPages(router: Router): void {
  const hold = createHold(router);
  const each = (route: Route): void => {
    hold(route);
    route.children?.forEach(each);
  };
  router.routes.forEach(each);
}

function createHold(router: Router) {
  /** Set while the router goes back to the page that it is on. */
  let isStaying = false;
  const goingTo = () => router.state.navigation.location;
  const here = () => createPath(router.state.location);
  router.subscribe(({ navigation }) => {
    if (navigation.state !== "idle") return;
    isStaying = false;
  });

  /** @throws what makes the router stay on its page. */
  const stay = ({ isTooMany = false } = {}): never => {
    isStaying = true;
    setOutage({ unopened: createPath(goingTo()!), isTooMany });
    const headers = new Headers({ Location: here() });
    // After the browser's own button the history stands elsewhere already.
    if (location.pathname + location.search + location.hash === here()) headers.set("X-Remix-Replace", "true");
    throw new Response(null, { status: 302, headers });
  };
  /** @throws what makes the router load a document. */
  const leave = async (): Promise<never> => {
    const headers = { Location: await documentOf(createPath(goingTo()!)), "X-Remix-Reload-Document": "true" };
    throw new Response(null, { status: 302, headers });
  };

  const load =
    (id: string, handler: Handler): Handler =>
    async (args, ...rest) => {
      const why = reasonOf(router, args.request);
      const held = () => router.state.loaderData[id] ?? null;
      if (why === "again" && isStaying) return held();
      const ending = await endingOf(() => handler(args, ...rest), args.request.signal);
      const isNewer = isNewerRelease(ending);
      if (isNewer && why !== "page") meetNewerRelease();
      const isTooMany = ending.kind !== "unanswered" && ending.answer?.status === 429;
      if (ending.kind !== "unanswered" && !isNewer && !isTooMany) {
        if (why === "page") setOutage({ unopened: null, isTooMany: false });
        return passOn(ending);
      }
      if (why === "page") return isNewer ? leave() : stay({ isTooMany });
      return why === "again" ? held() : UNANSWERED;
    };

  const act =
    (handler: Handler): Handler =>
    async (args, ...rest) => {
      const ending = await endingOf(() => handler(args, ...rest), args.request.signal);
      const isNewer = isNewerRelease(ending);
      if (isNewer) meetNewerRelease();
      // A newer release may not know this page's form any more.
      const isRefused = isNewer && ending.kind === "thrown" && (ending.answer?.status ?? 0) >= 400;
      return ending.kind === "unanswered" || isRefused ? UNANSWERED : passOn(ending);
    };

  const isGoneTo = (id: string): boolean => {
    const target = goingTo();
    return target !== undefined && (matchRoutes(router.routes, target)?.some(({ route }) => route.id === id) ?? false);
  };

  /** Remix reloads the page it is on when a script does not come, and a page cannot be reloaded while the app is away. */
  const fetchCode = async (id: string, lazy: () => Promise<unknown>): Promise<unknown> => {
    const { module, imports = [] } = window.__remixManifest.routes[id]!;
    // At once, and not each when the one before it names it.
    for (const href of imports)
      document.head.append(Object.assign(document.createElement("link"), { rel: "modulepreload", href }));
    try {
      await import(/* @vite-ignore */ module);
      return await lazy();
    } catch {
      return (await isAnswering()) ? leave() : stay();
    }
  };

  /**
   * A route has its script fetched when its page is gone to. The router asks for it before a form or a hook's reading, too, which need only
   * the route's answer: a form of an open page would else wait for as long as the app is away, and for ever once a newer release has no such
   * script. The router takes `lazy` off a route that it has called, so this keeps it until the script has come.
   */
  const holdCode = (route: Route, lazy: () => Promise<unknown>): void => {
    const fetchIfGoneTo = async () => (isGoneTo(route.id!) ? fetchCode(route.id!, lazy) : {});
    Object.defineProperty(route, "lazy", {
      get: () => (shownOf(route) ? undefined : fetchIfGoneTo),
      set: () => undefined,
      enumerable: true,
    });
  };

  return (route: Route): void => {
    const { id, loader, action, lazy } = route;
    Object.assign(route, {
      ...(typeof loader === "function" && { loader: load(id!, loader as unknown as Handler) }),
      ...(typeof action === "function" && { action: act(action as unknown as Handler) }),
    });
    if (lazy) holdCode(route, lazy);
  };
}

/** `again`: the page it is on; `page`: another page; `aside`: what a hook of a page reads. */
function reasonOf({ state }: Router, request: Request): "again" | "page" | "aside" {
  const { pathname, search } = new URL(request.url);
  const target = state.navigation.location ?? state.location;
  const isOf = (place: { pathname: string; search: string }) => place.pathname === pathname && place.search === search;
  if (!isOf(target)) return "aside";
  return isOf(state.location) ? "again" : "page";
}

/** What the router draws of a route whose script it has. */
function shownOf(route: Route): unknown {
  const { element, Component } = route as { element?: unknown; Component?: unknown };
  return element ?? Component;
}

function isNewerRelease(ending: Ending): boolean {
  return ending.kind !== "unanswered" && ending.answer !== null && isOfAnotherRelease(ending.answer);
}

function passOn(ending: Exclude<Ending, { kind: "unanswered" }>): unknown {
  if (ending.kind === "thrown") throw ending.thrown;
  return ending.value;
}

async function isAnswering(): Promise<boolean> {
  try {
    const answer = await fetch(REVISION, { headers: { Accept: "application/json" } });
    if (isOfAnotherRelease(answer)) meetNewerRelease();
    return answer.ok;
  } catch {
    return false;
  }
}
