/**
 * No two files import each other, directly or by way of others, type imports included: whoever reads a file can read what it needs
 * first. The floors of the app, which say who may import whom, are a test (test/architecture.test.ts).
 * @type {import("dependency-cruiser").IConfiguration}
 */
export default {
  forbidden: [
    { name: "no-circle", severity: "error", from: { path: "^(app|scripts|extensions)/" }, to: { circular: true } },
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    exclude: { path: "\\.d\\.ts$|/generated/|^extensions/[^/]+/dist" },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.json" },
    enhancedResolveOptions: { exportsFields: ["exports"], conditionNames: ["import", "types"] },
  },
};
