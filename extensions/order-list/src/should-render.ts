import { selectedOrders } from "./orders.ts";

/**
 * Offers the action for a selection of orders. Whether they ship from a location is not asked: Shopify runs this anew with each box that is
 * checked, and the action itself says what it cannot tell.
 */
export default async function shouldRender(): Promise<{ display: boolean }> {
  return { display: selectedOrders().length > 0 };
}
