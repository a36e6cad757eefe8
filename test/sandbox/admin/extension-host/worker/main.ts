// The first thing an extension's worker runs: a document of its own, Shopify's API, then the bundle.
import "@remote-dom/core/polyfill";
import type { PageServices, WorkerServices, WorkerStart } from "../protocol.ts";
import { talk } from "../rpc.ts";
import type { Remote } from "../rpc.ts";
import { connectBody, defineElements, invoke } from "./dom.ts";
import { extensionFetch } from "./fetch.ts";
import { forbid } from "./forbid.ts";
import { createShopify } from "./shopify.ts";

declare function importScripts(url: string): void;

const nativeFetch = globalThis.fetch.bind(globalThis);

globalThis.addEventListener("message", (event) => begin((event as MessageEvent).ports[0]!), { once: true });

function begin(port: MessagePort): void {
  const services: WorkerServices = { start, invoke };
  const page: Remote<PageServices> = talk<PageServices>(port, services);
  globalThis.addEventListener(
    "unhandledrejection",
    (event) => void page.fail(String((event as PromiseRejectionEvent).reason)),
  );
  globalThis.addEventListener("error", (event) => void page.fail((event as ErrorEvent).message));

  async function start(options: WorkerStart): Promise<unknown> {
    const source = await (await nativeFetch(options.script)).text();
    const shopify = createShopify(options, page);
    defineElements(options.elements);
    connectBody((records) => void page.mutate(records));
    Object.assign(globalThis, { shopify: shopify.api, fetch: extensionFetch(options, page) });
    forbid();
    importScripts(
      URL.createObjectURL(new Blob([source, `\n//# sourceURL=${options.script}`], { type: "text/javascript" })),
    );
    return shopify.run();
  }
}
