/**
 * Holds every request of a shop until the shop has been welcomed once by this process. Shopify's package runs its hook for the first
 * of several requests that come together and lets the others pass before it has ended; they would find no shop.
 */
export function createWelcomed(welcome: (shop: string) => Promise<void>): (shop: string) => Promise<void> {
  const welcomes = new Map<string, Promise<void>>();
  return (shop) => {
    const begun = welcomes.get(shop);
    if (begun) return begun;
    const welcoming = welcome(shop).catch((error: unknown) => {
      welcomes.delete(shop);
      throw error;
    });
    welcomes.set(shop, welcoming);
    return welcoming;
  };
}
