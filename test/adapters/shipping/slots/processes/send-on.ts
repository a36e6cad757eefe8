import http from "node:http";
import { budgetOn } from "../budget-on-postgres.ts";

// A process that sends whatever its budget lets it, for every shop at once, until it is killed. Says when its first request was answered.
const [url, receiver, lanes, graceMs, totalTimeoutMs] = process.argv.slice(2) as [
  string,
  string,
  string,
  string,
  string,
];
const { budget } = budgetOn(url, { graceMs: Number(graceMs), totalTimeoutMs: Number(totalTimeoutMs) });
const agent = new http.Agent({ keepAlive: true });
let said = false;

function send(path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = http.get(`${receiver}${path}`, { agent, timeout: Number(totalTimeoutMs) }, (response) => {
      response.resume().on("end", resolve).on("error", reject);
    });
    request.on("error", reject).on("timeout", () => request.destroy(new Error("timeout")));
  });
}

async function lane({ shop, client }: { shop: string; client: string }): Promise<never> {
  for (;;) {
    const use = budget.use({ shop, client, priority: "sync" }, async (slot) => {
      if (!slot.mayLeave()) return;
      slot.sending();
      await send(`/${shop}/${client}`);
      slot.answered();
      if (!said) console.log("answered");
      said = true;
    });
    // A request that broke off, or a database that is gone.
    await use.catch(() => undefined);
  }
}

const each = JSON.parse(lanes) as { shop: string; client: string }[];
console.log("started");
await Promise.all(each.flatMap((one) => [lane(one), lane(one), lane(one)]));
