import { scriptApiKey } from "./channel.ts";

interface FrameContext {
  shop?: string;
  host?: string;
  locale?: string;
}

const parameters = new URLSearchParams(location.search);

/** Where the app is embedded: from the frame's name, which the admin sets and a navigation keeps, else from the address. */
export const frameContext: FrameContext = { ...fromAddress(), ...fromFrameName() };

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
