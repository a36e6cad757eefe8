import { createNetwork, TIMEOUTS } from "../../../app/adapters/shipping/network.ts";
import { shippingContract } from "../../contracts/shipping.ts";
import { sandboxClient } from "../shipping/options.ts";
import { startShippingService } from "../shipping/server.ts";

shippingContract("over HTTP", async () => {
  const service = await startShippingService({
    enforceRate: false,
    refreshTokens: true,
    verification: { unsupportedCarriers: ["slow-mail"] },
  });
  const network = createNetwork({ test: service.testUrl, production: service.productionUrl }, TIMEOUTS);
  return {
    network,
    clients: [sandboxClient("test", 1), sandboxClient("test", 2)],
    unsupported: "slow-mail",
    setVerdict: (templateId, carrier, status) => void service.setVerdict({ templateId, carrier, status }),
    endTokens: ({ clientId }) => void service.revokeTokens(clientId),
    arrivals: ({ clientId }) =>
      Object.values(service.report().callsByClient[`test:${clientId}`] ?? {}).reduce((sum, count) => sum + count, 0),
    run: (work) => work,
    async close() {
      await network.close();
      await service.stop();
    },
  };
});
