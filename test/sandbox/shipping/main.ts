/** The stand-in in a process of its own: `node test/sandbox/shipping/main.ts --port N`. README.md lists the options. */
import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { behaviourFromReport, type SeenReport } from "./dialect/from-report.ts";
import type { BehaviourChange } from "./options.ts";
import { DEFAULT_BEHAVIOUR } from "./options.ts";
import type { ShippingService } from "./server.ts";
import { startShippingService } from "./server.ts";
import { changeBehaviour } from "./world.ts";

async function startFromArguments(): Promise<ShippingService> {
  const { values } = parseArgs({
    options: {
      port: { type: "string", default: "0" },
      "control-port": { type: "string", default: "0" },
      seed: { type: "string", default: "1" },
      clients: { type: "string", default: "2" },
      "data-file": { type: "string" },
      "marker-pattern": { type: "string" },
      "log-limit": { type: "string", default: "20000" },
      behaviour: { type: "string", default: "{}" },
      "service-as": { type: "string" },
    },
  });
  const whole = (name: "port" | "control-port" | "seed" | "clients" | "log-limit") => {
    if (!/^\d{1,9}$/.test(values[name])) throw new RangeError(`--${name}: a whole number, not ${values[name]}`);
    return Number(values[name]);
  };
  return startShippingService({
    ...(values["service-as"] && behaviourOfReport(values["service-as"])),
    ...behaviourFrom(values.behaviour),
    port: whole("port"),
    controlPort: whole("control-port"),
    seed: whole("seed"),
    clients: whole("clients"),
    logLimit: whole("log-limit"),
    dataFile: values["data-file"],
    markerPattern: values["marker-pattern"] ? new RegExp(values["marker-pattern"]) : undefined,
  });
}

function behaviourOfReport(file: string): BehaviourChange {
  return behaviourFromReport(JSON.parse(readFileSync(file, "utf8")) as SeenReport);
}

function behaviourFrom(text: string): BehaviourChange {
  try {
    const change: BehaviourChange = JSON.parse(text);
    changeBehaviour(structuredClone(DEFAULT_BEHAVIOUR), change);
    return change;
  } catch (error) {
    throw new RangeError(`--behaviour: ${error instanceof Error ? error.message : error}`);
  }
}

try {
  const service = await startFromArguments();
  const { url, testUrl, productionUrl, controlUrl } = service;
  process.stdout.write(`${JSON.stringify({ ready: true, url, testUrl, productionUrl, controlUrl })}\n`);
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.once(signal, () => void service.stop().then(() => process.exit(0)));
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(2);
}
