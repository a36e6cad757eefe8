import { scriptApiKey } from "./channel.ts";

interface FrameContext {
  shop?: string;
  host?: string;
  locale?: string;
}

const parameters = new URLSearchParams(location.search);

/** Where the app is embedded. The URL says so at first; the frame's name keeps it when a navigation drops it. */
export const frameContext: FrameContext = { ...fromFrameName(), ...fromAddress() };

if (window.parent !== window && frameContext.shop) window.name = JSON.stringify(frameContext);

export const apiKey =
  scriptApiKey ?? document.querySelector<HTMLMetaElement>('meta[name="shopify-api-key"]')?.content ?? "";

if (!apiKey)
  throw new Error("App Bridge needs the app's client id: a shopify-api-key meta tag or data-api-key on the script");

function fromAddress(): FrameContext {
  const context: FrameContext = {};
  for (const key of ["shop", "host", "locale"] as const) {
    const value = parameters.get(key);
    if (value) context[key] = value;
  }
  return context;
}

function fromFrameName(): FrameContext {
  try {
    return JSON.parse(window.name) as FrameContext;
  } catch {
    return {};
  }
}
