// Serves the extensions and their host to the admin's order pages. Nothing is built or bundled before somebody opens one.
import { readFileSync } from "node:fs";
import express from "express";
import { EXTENSIONS } from "../../../../scripts/builds/extension-bundles.ts";
import { SCHEMA_VERSION } from "../graphql/schema.ts";
import type { Admin } from "../admin.ts";
import { shopByHandle } from "../state.ts";
import { bundleFile, ensureBuilt, hostScript } from "./bundles.ts";
import type { ElementList, Manifest } from "./protocol.ts";
import { readRegistry } from "./registry.ts";

const elements = JSON.parse(readFileSync(new URL("elements.json", import.meta.url), "utf8")) as ElementList;

export function mountExtensionHost(application: express.Express, admin: Admin): void {
  const router = express.Router();
  /** Bundles put in an extension's place, to see what the host does with them. */
  const planted = new Map<string, string>();

  router.get("/host.js", async (_request, response) => {
    response.type("js").send(await hostScript("client/main.ts"));
  });
  router.get("/worker.js", async (_request, response) => {
    response.type("js").send(await hostScript("worker/main.ts"));
  });
  router.get("/:store/manifest.json", async (request, response) => {
    const shop = shopByHandle(admin.state, request.params.store);
    if (!shop) return void response.sendStatus(404);
    try {
      if (shop.installation) await ensureBuilt();
      response.json(manifestOf(admin, shop.installation !== null));
    } catch (error) {
      response
        .status(500)
        .type("text")
        .send((error as Error).message);
    }
  });
  // The worker belongs to no origin, so these are read across origins.
  router.get("/bundles/:handle/:file.js", (request, response) => {
    const { handle, file } = request.params;
    const path = bundleFile(handle, file);
    const source = planted.get(file) ?? (path && readFileSync(path, "utf8"));
    if (source === null) return void response.sendStatus(404);
    response.type("js").set({ "Access-Control-Allow-Origin": "*", "Cache-Control": "no-store" }).send(source);
  });
  application.use("/extension-host", router);

  application.put("/sandbox/extensions/:file", express.text({ type: () => true }), (request, response) => {
    planted.set(request.params.file as string, String(request.body));
    response.json({ planted: [...planted.keys()] });
  });
  application.delete("/sandbox/extensions", (_request, response) => {
    planted.clear();
    response.json({ planted: [] });
  });
}

function manifestOf({ settings }: Admin, installed: boolean): Manifest {
  const { locale, appUrl } = settings;
  const registry = readRegistry(EXTENSIONS, locale);
  return {
    ...(installed ? registry : { extensions: [], links: [], words: {} }),
    locale,
    appUrl,
    apiVersions: [SCHEMA_VERSION],
    elements,
  };
}
