/** The stand-in in a process of its own: `node test/sandbox/shipping/main.ts --port N`. README.md lists the options. */
import { parseArgs } from "node:util";
import { startShippingService } from "./server.ts";

const { values } = parseArgs({
  options: {
    port: { type: "string", default: "0" },
    "control-port": { type: "string", default: "0" },
    seed: { type: "string", default: "1" },
    clients: { type: "string", default: "2" },
    "data-file": { type: "string" },
    "marker-pattern": { type: "string" },
    "log-limit": { type: "string" },
    behaviour: { type: "string", default: "{}" },
  },
});

const service = await startShippingService({
  ...JSON.parse(values.behaviour),
  port: Number(values.port),
  controlPort: Number(values["control-port"]),
  seed: Number(values.seed),
  clients: Number(values.clients),
  dataFile: values["data-file"],
  markerPattern: values["marker-pattern"] ? new RegExp(values["marker-pattern"]) : undefined,
  logLimit: values["log-limit"] ? Number(values["log-limit"]) : undefined,
});

const { url, testUrl, productionUrl, controlUrl } = service;
process.stdout.write(`${JSON.stringify({ ready: true, url, testUrl, productionUrl, controlUrl })}\n`);

for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, () => void service.stop().then(() => process.exit(0)));
}
