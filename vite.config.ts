import { vitePlugin as remix } from "@remix-run/dev";
import { defineConfig } from "vite";
import remixOptions from "./remix.config.js";

// The app is served by app/server.ts in both modes; in development that server takes Vite in as middleware.
export default defineConfig({
  plugins: [remix(remixOptions)],
  server: {
    // Shopify's tunnel and the sandbox's proxy come with host names of their own.
    allowedHosts: true,
    cors: { preflightContinue: true },
  },
  build: {
    target: "es2022",
    assetsInlineLimit: 0,
    reportCompressedSize: false,
  },
  // Named, so that none is found while a page loads: that would give the page two copies of React.
  optimizeDeps: {
    include: [
      "@remix-run/react",
      "@shopify/app-bridge-react",
      "@shopify/polaris",
      "@shopify/polaris-icons",
      "@shopify/shopify-app-remix/react",
      "i18next",
      "i18next-icu",
      "react",
      "react-dom",
      "react-dom/client",
      "react-i18next",
      "react/jsx-dev-runtime",
      "react/jsx-runtime",
    ],
  },
});
