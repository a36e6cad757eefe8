import { GLOBAL_MEMBERS, INTERFACE_MEMBERS } from "../members.ts";
import { installAuthenticatedFetch } from "./authenticated-fetch.ts";
import { adminOrigin, ask, embedded, tell } from "./channel.ts";
import { apiKey, frameContext } from "./context.ts";
import { idToken } from "./id-token.ts";
import { modalById } from "./modal.ts";
import { bounceIfAsked, checkedLeave, installNavigation, redirectIfNotEmbedded } from "./navigation.ts";
import { saveBarById } from "./save-bar.ts";
import { scopes } from "./scopes.ts";
import { strict } from "./strict.ts";
import { toast } from "./toast.ts";
import { webVitals } from "./web-vitals.ts";

const members = (name: string): string[] => INTERFACE_MEMBERS[name] ?? [];

const shopifyGlobal = {
  config: strict(
    "shopify.config",
    {
      apiKey,
      appOrigins: undefined,
      debug: undefined,
      disabledFeatures: undefined,
      experimentalFeatures: undefined,
      host: undefined,
      locale: "en",
      shop: undefined,
      ...frameContext,
    },
    members("AppBridgeConfig"),
  ),
  origin: adminOrigin,
  ready: embedded ? ask<void>("ready") : Promise.resolve(),
  setSignals: () => undefined,
  environment: strict(
    "shopify.environment",
    { mobile: false, embedded, pos: false, intent: false },
    members("_EnvironmentApi"),
  ),
  loading: (isLoading = true) => tell("loading", isLoading),
  idToken: () => idToken(),
  toast: strict("shopify.toast", toast, members("ToastApi")),
  modal: strict(
    "shopify.modal",
    {
      show: async (id: string) => modalById(id).show(),
      hide: async (id: string) => modalById(id).hide(),
      toggle: async (id: string) => modalById(id).toggle(),
    },
    members("_ModalApi"),
  ),
  saveBar: strict(
    "shopify.saveBar",
    {
      show: async (id: string) => saveBarById(id).show(),
      hide: async (id: string) => saveBarById(id).hide(),
      toggle: async (id: string) => saveBarById(id).toggle(),
      leaveConfirmation: () => checkedLeave(),
    },
    members("_SaveBarApi"),
  ),
  webVitals: strict("shopify.webVitals", webVitals, members("WebVitalsApi")),
  scopes: strict("shopify.scopes", scopes, members("Scopes")),
};

Object.defineProperty(window, "shopify", {
  value: strict("shopify", shopifyGlobal, GLOBAL_MEMBERS),
  configurable: true,
});

redirectIfNotEmbedded();
if (embedded) {
  installAuthenticatedFetch();
  installNavigation();
  void bounceIfAsked();
}
