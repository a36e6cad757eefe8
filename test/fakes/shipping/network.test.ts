import { shippingContract } from "../../contracts/shipping.ts";
import { createVirtualClock } from "../clock.ts";
import { createSeededRandom } from "../random.ts";
import { createFakeAccount } from "./account.ts";
import type { Habits } from "./habits.ts";
import { createFakeNetwork, PROMPT } from "./network.ts";
import { createFakeTokens, secretOf } from "./tokens.ts";

shippingContract("in memory", async () => {
  const clock = createVirtualClock();
  const random = createSeededRandom(1);
  const habits: Habits = { wipes: false, tidies: false, refuses: ["slow-mail"] };
  const clients = [
    { clientId: "client-1", clientSecret: secretOf("one", 1) },
    { clientId: "client-2", clientSecret: secretOf("two", 1) },
  ] as const;
  const accounts = clients.map(({ clientId }) => ({
    clientId,
    account: createFakeAccount({ habits, newId: () => random.id(), nowMs: () => clock.nowMs() }),
  }));
  const arrivals: string[] = [];
  const tokens = createFakeTokens({
    refreshes: true,
    enforced: true,
    knows: ({ clientId, secret }) =>
      clients.some((client) => client.clientId === clientId && client.clientSecret === secret),
  });
  return {
    network: createFakeNetwork({
      clock,
      habits,
      tokens,
      accountOf: (clientId, environment) =>
        (environment === "test" && accounts.find((each) => each.clientId === clientId)?.account) || null,
      outcomeOf: () => PROMPT,
      arrived: ({ clientId }) => void arrivals.push(clientId),
    }),
    clients,
    unsupported: "slow-mail",
    setVerdict: (templateId, carrier, status) =>
      accounts
        .find(({ account }) => account.templates.has(templateId))!
        .account.setVerdict(templateId, carrier, status),
    endTokens: () => tokens.expireAll(),
    arrivals: ({ clientId }) => arrivals.filter((each) => each === clientId).length,
    run: (work) => clock.runWhile(work),
    close: async () => undefined,
  };
});
