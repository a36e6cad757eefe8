import { host } from "./host.ts";
import { readOrder } from "./order.ts";

/** The action is offered where something leaves from a location, and where it can say why that cannot be told. */
export default async function shouldRender(): Promise<{ display: boolean }> {
  const order = await readOrder(host.orderId);
  return { display: !("problem" in order && order.problem === "noOrigin") };
}
