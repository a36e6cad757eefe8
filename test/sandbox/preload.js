// Loaded into the app's process before anything else (`node --import`): Shopify's stores answer from the sandbox's admin.
// The app captures `fetch` when its modules load, so this must have happened by then.
const adminUrl = process.env.SANDBOX_ADMIN_URL;
if (!adminUrl) throw new Error("SANDBOX_ADMIN_URL names the sandbox's admin");

const STORE = /^https:\/\/([a-z0-9][a-z0-9-]*\.myshopify\.com)(?=\/|$)/i;
const nativeFetch = globalThis.fetch;

globalThis.fetch = (input, init) => {
  const url = input instanceof Request ? input.url : String(input);
  const mapped = url.replace(STORE, (_all, shop) => `${adminUrl}/shops/${shop.toLowerCase()}`);
  if (mapped === url) return nativeFetch(input, init);
  return nativeFetch(input instanceof Request ? new Request(mapped, input) : mapped, init);
};

// If the sandbox dies, its app ends, too.
if (process.channel) {
  process.once("disconnect", () => process.kill(process.pid, "SIGTERM"));
  process.channel.unref();
}
