import { host } from "./host.ts";
import { readOrder } from "./order.ts";

/** Offers the action for an order that ships from a location, and for one where it can explain why it cannot tell. */
export default async function shouldRender(): Promise<{ display: boolean }> {
  const order = await readOrder(host.orderId);
  return { display: !("problem" in order && order.problem === "noOrigin") };
}
