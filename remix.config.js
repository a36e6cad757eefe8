/**
 * Remix's own options; vite.config.ts hands them to its plugin. Single fetch stays off: with it App Bridge's headers are lost on
 * every route that exports none.
 * @type {import("@remix-run/dev").VitePluginConfig}
 */
export default {
  appDirectory: "app",
  ignoredRouteFiles: ["**/.*"],
  future: {
    v3_fetcherPersist: true,
    v3_relativeSplatPath: true,
    v3_throwAbortReason: true,
    v3_lazyRouteDiscovery: true,
    v3_singleFetch: false,
    v3_routeConfig: false,
  },
};
