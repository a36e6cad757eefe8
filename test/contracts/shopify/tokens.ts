import { beforeEach, expect, test } from "vitest";
import { LOCATION, LOCATIONS, SHOP } from "../../../app/adapters/shopify/queries.ts";
import type { WireStandIn } from "./stand-in.ts";

/** The token endpoint's `refresh_token` grant, what the API makes of tokens, and a query's pages. */
export function tokensContract(now: () => WireStandIn): void {
  let accessToken: string;
  let refreshToken: string;
  beforeEach(async () => {
    ({ accessToken, refreshToken } = await now().signIn());
  });

  const post = async (path: string, body: object, headers: Record<string, string> = {}) => {
    const { fetch, shop, run } = now();
    const answer = await run(
      fetch(`https://${shop}${path}`, {
        method: "POST",
        headers: { "Content-Type": "application/json", Accept: "application/json", ...headers },
        body: JSON.stringify(body),
      }),
    );
    expect(Date.parse(answer.headers.get("date")!)).toBeGreaterThan(0);
    return { status: answer.status, json: JSON.parse(await answer.text()) as ReturnType<typeof JSON.parse> };
  };
  const query = (text: string, variables: object = {}, token = accessToken) =>
    post("/admin/api/2026-10/graphql.json", { query: text, variables }, { "X-Shopify-Access-Token": token });
  const refresh = (token: string, over: object = {}) => {
    const { apiKey, apiSecret } = now().app;
    const grant = { grant_type: "refresh_token", refresh_token: token, client_id: apiKey, client_secret: apiSecret };
    return post("/admin/oauth/access_token", { ...grant, ...over });
  };
  const admitted = async (token: string) => (await query(SHOP, {}, token)).status === 200;

  test("a refresh gives both tokens, with their lives in seconds", async () => {
    expect(await refresh(refreshToken)).toMatchObject({
      status: 200,
      json: {
        access_token: expect.stringMatching(/^shpat_/),
        refresh_token: expect.stringMatching(/^shprt_/),
        scope: "read_locations",
        expires_in: expect.any(Number),
        refresh_token_expires_in: expect.any(Number),
      },
    });
  });

  test("the access token that it replaces is refused from then on", async () => {
    const { json } = await refresh(refreshToken);
    expect([await admitted(accessToken), await admitted(json.access_token)]).toEqual([false, true]);
  });

  test("a refresh token may be used again until the one that replaced it is used: an answer may be lost", async () => {
    await refresh(refreshToken);
    const { json: again } = await refresh(refreshToken);
    expect(await admitted(again.access_token)).toBe(true);
    const { json: next } = await refresh(again.refresh_token);
    expect(await admitted(next.access_token)).toBe(true);
    expect(await refresh(refreshToken)).toMatchObject({ status: 400, json: { error: "invalid_grant" } });
  });

  test("a refresh token that nobody gave is an invalid grant; an app that is not this one, an invalid client", async () => {
    expect(await refresh("shprt_of-nobody")).toMatchObject({ status: 400, json: { error: "invalid_grant" } });
    const stranger = await refresh(refreshToken, { client_secret: "wrong" });
    expect(stranger).toMatchObject({ status: 401, json: { error: "invalid_client" } });
    expect(await admitted(accessToken)).toBe(true);
  });

  test("an access token that has ended, or that nobody gave, is 401; a refresh goes on", async () => {
    await now().endAccess();
    expect(await query(SHOP)).toMatchObject({ status: 401, json: { errors: expect.any(String) } });
    expect((await query(SHOP, {}, "shpat_of-nobody")).status).toBe(401);
    expect((await refresh(refreshToken)).status).toBe(200);
  });

  test("an uninstall ends them all, and an install revives none", async () => {
    await now().uninstall();
    expect(await admitted(accessToken)).toBe(false);
    expect(await refresh(refreshToken)).toMatchObject({ status: 400, json: { error: "invalid_grant" } });
    await now().comeBack();
    expect(await admitted(accessToken)).toBe(false);
    expect(await refresh(refreshToken)).toMatchObject({ status: 400, json: { error: "invalid_grant" } });
  });

  test("locations come in pages of the size asked for, each behind the last one's cursor", async () => {
    const ids: string[] = [];
    for (const name of ["Uno", "Dos", "Tres"]) ids.push(await now().put({ name, isActive: true }));
    const found: string[] = [];
    let after: string | null = null;
    for (const size of [2, 1]) {
      const { json } = await query(LOCATIONS, { first: 2, after });
      const { nodes, pageInfo } = json.data.locations;
      expect(nodes).toHaveLength(size);
      expect(pageInfo.hasNextPage).toBe(size === 2);
      found.push(...nodes.map(({ id }: { id: string }) => id));
      after = pageInfo.endCursor;
    }
    expect(found.toSorted()).toEqual(ids.toSorted());
    expect((await query(LOCATION, { id: ids[0] })).json.data.location).toMatchObject({ id: ids[0], name: "Uno" });
    expect((await query(LOCATION, { id: "gid://shopify/Location/999" })).json.data.location).toBeNull();
  });
}
