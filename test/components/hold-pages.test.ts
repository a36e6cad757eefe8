import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { holdPages } from "../../app/components/outage/hold-pages.ts";
import { setOutage } from "../../app/components/outage/outage-state.ts";
import { UNANSWERED } from "../../app/views/not-taken.ts";

/** What an open page makes of readings that were not taken, and of scripts that do not come. */

type Router = Parameters<typeof holdPages>[0];
type Loader = (args: { request: Request }) => Promise<unknown>;

const HERE = { pathname: "/app/origins", search: "", hash: "", state: null, key: "k" };
const THERE = { ...HERE, pathname: "/app/settings" };
const SHOWN = { rows: 3 };

const tooMany = () =>
  new Response(JSON.stringify({ tooManyForS: 1 }), { status: 429, headers: { "X-Remix-Response": "yes" } });

/** A page's own loader, as the router asks it through `holdPages`. */
function loaderOn({ going = false } = {}): Loader {
  const route = { id: "page", loader: async () => tooMany() };
  const navigation = going ? { state: "loading", location: THERE } : { state: "idle" };
  const state = { location: HERE, navigation, loaderData: { page: SHOWN } };
  holdPages({ routes: [route], state, subscribe: () => () => undefined } as unknown as Router);
  return route.loader as unknown as Loader;
}

const asking = ({ pathname }: { pathname: string }) => ({ request: new Request(`https://app.example${pathname}`) });

beforeEach(() => void vi.stubGlobal("location", { ...HERE, origin: "https://app.example" }));
afterEach(() => {
  vi.unstubAllGlobals();
  setOutage({ unopened: null, isTooMany: false });
});

/** Its shop had no share left: 429, as `http/too-many.ts` sends it. */
describe("a reading that was not taken", () => {
  test("leaves the page that is open with the data that it has", async () => {
    expect(await loaderOn()(asking(HERE))).toBe(SHOWN);
  });

  test("goes to no other page, and stays where it was", async () => {
    const left = await loaderOn({ going: true })(asking(THERE)).catch((thrown: unknown) => thrown);
    expect(left).toBeInstanceOf(Response);
    expect((left as Response).headers.get("Location")).toBe(HERE.pathname);
  });

  test("is asked again by whoever reads beside the page", async () => {
    expect(await loaderOn()(asking({ pathname: "/app/postal-codes/06700" }))).toEqual(UNANSWERED);
  });
});

/** A page that is not open and whose script is fetched by `lazy`, in the router's hands. */
function pageElsewhere({ going = false } = {}) {
  const fetched = vi.fn(async () => ({ Component: () => null }));
  const route: { id: string; path: string; lazy?: () => Promise<object>; Component?: unknown } = {
    ...{ id: "elsewhere", path: THERE.pathname },
    lazy: fetched,
  };
  const state = { location: HERE, navigation: going ? { location: THERE } : {}, loaderData: {} };
  holdPages({ routes: [route], state, subscribe: () => () => undefined } as unknown as Router);
  return { route, fetched };
}

/** As the router does it: what came stands on the route, and `lazy` is taken off. */
async function asRouter(route: { lazy?: () => Promise<object> }): Promise<void> {
  Object.assign(route, await route.lazy!());
  Object.assign(route, { lazy: undefined });
}

describe("the script of another page", () => {
  const append = vi.fn();
  beforeEach(() => {
    append.mockClear();
    vi.stubGlobal("document", { head: { append }, createElement: () => ({}) });
    const elsewhere = { module: "data:text/javascript,", imports: ["/assets/shared.js"] };
    vi.stubGlobal("window", { __remixManifest: { version: "one", routes: { elsewhere } } });
  });

  test("is not waited for by a form that is sent there, and comes when the page is gone to", async () => {
    const { route, fetched } = pageElsewhere();
    await asRouter(route);
    expect([fetched.mock.calls.length, typeof route.lazy]).toEqual([0, "function"]);
  });

  test("is fetched with what it imports, once, when the page is gone to", async () => {
    const { route, fetched } = pageElsewhere({ going: true });
    await asRouter(route);
    expect([fetched.mock.calls.length, route.lazy]).toEqual([1, undefined]);
    expect(append).toHaveBeenCalledWith({ rel: "modulepreload", href: "/assets/shared.js" });
  });

  test("that a newer release has not any more has the page loaded as a document", async () => {
    const { route, fetched } = pageElsewhere({ going: true });
    fetched.mockRejectedValue(new TypeError("Failed to fetch dynamically imported module"));
    vi.stubGlobal("fetch", async () => new Response("{}"));
    const left = await route.lazy!().catch((thrown: unknown) => thrown);
    expect((left as Response).headers.get("X-Remix-Reload-Document")).toBe("true");
  });

  test("that does not come while the app is away leaves the page that is open", async () => {
    const { route, fetched } = pageElsewhere({ going: true });
    fetched.mockRejectedValue(new TypeError("Failed to fetch dynamically imported module"));
    vi.stubGlobal("fetch", () => Promise.reject(new TypeError("Failed to fetch")));
    const left = await route.lazy!().catch((thrown: unknown) => thrown);
    expect((left as Response).headers.get("Location")).toBe(HERE.pathname);
  });
});
