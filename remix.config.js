/**
 * Remix's own options; vite.config.ts hands them to its plugin. Single fetch stays off: with it App Bridge's headers are lost on
 * every route that exports none. So does lazy route discovery, and root.tsx restores no scroll position: both need session storage,
 * which a browser that blocks third-party cookies refuses to a cross-site frame.
 * @type {import("@remix-run/dev").VitePluginConfig}
 */
export default {
  appDirectory: "app",
  ignoredRouteFiles: ["**/.*"],
  future: {
    v3_fetcherPersist: true,
    v3_relativeSplatPath: true,
    v3_throwAbortReason: true,
    v3_lazyRouteDiscovery: false,
    v3_singleFetch: false,
    v3_routeConfig: false,
  },
};
