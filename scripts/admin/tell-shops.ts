import type { Store } from "../../app/ports.ts";

/** One line for each shop with something that an operator may want to look at, the fullest first. */
export async function tellShops(store: Store): Promise<string[]> {
  const shops = await store.shops.list({}, { orderBy: { shop: "asc" } });
  const [connections, stopped, unclear] = await Promise.all([
    store.connections.list({ current: true }),
    store.workItems.list({ state: { in: ["parked", "blocked"] } }),
    store.pendingWrites.list({}),
  ]);
  const lines = shops.map(({ shop, policies, access, uninstalledAtMs }) => {
    const connection = connections.find((each) => each.shop === shop);
    const count = (name: string, rows: readonly { shop: string }[]) => {
      const own = rows.filter((row) => row.shop === shop).length;
      return own === 0 ? [] : [`${own} ${name}`];
    };
    const rests = connection && (connection.failures > 0 || connection.backoffUntilMs !== null);
    return {
      shop,
      words: [
        ...(uninstalledAtMs === null ? [] : ["uninstalled"]),
        ...(access === "open" ? [] : [`Shopify says ${access}`]),
        ...(policies.syncOn ? [] : ["sync paused"]),
        ...(connection && connection.state !== "active" ? [`connection ${connection.state}`] : []),
        ...(rests ? [`circuit breaker open (${connection.lastFaultKind ?? "no fault kept"})`] : []),
        ...count(
          "parked",
          stopped.filter(({ state }) => state === "parked"),
        ),
        ...count(
          "blocked",
          stopped.filter(({ state }) => state === "blocked"),
        ),
        ...count("writes whose end is unclear", unclear),
      ],
    };
  });
  const troubled = lines
    .filter(({ words }) => words.length > 0)
    .sort((one, other) => other.words.length - one.words.length);
  const rest = shops.length - troubled.length;
  return [
    ...troubled.map(({ shop, words }) => `${shop}: ${words.join(", ")}`),
    `${rest} of ${shops.length} shops: nothing to tell.`,
  ];
}
