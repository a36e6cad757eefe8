import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { holdPages } from "../../app/components/outage/hold-pages.ts";
import { setOutage } from "../../app/components/outage/outage-state.ts";
import { UNANSWERED } from "../../app/views/not-taken.ts";

/** What an open page makes of a reading that was not taken, because its shop had no share left: 429, as `http/too-many.ts` sends it. */

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

beforeEach(() => void vi.stubGlobal("location", HERE));
afterEach(() => {
  vi.unstubAllGlobals();
  setOutage({ unopened: null, isTooMany: false });
});

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
