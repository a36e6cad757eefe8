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
  optimizeDeps: { include: ["@shopify/app-bridge-react", "@shopify/polaris"] },
});
