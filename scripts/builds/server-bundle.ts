import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

/**
 * The server's process as few files, which `npm start` runs: app/server.ts, what Remix built, and their packages. Reading some 1,500 files
 * one by one took longer than all else at a start.
 */

export interface BundleInput {
  root: string;
  /** Where Remix left its build of the server. It is taken into the bundle, and removed. */
  remix: string;
  /** The folder that is written anew; server.js in it is what Node runs. */
  to: string;
}

/**
 * Packages that stay in node_modules. Prisma's clients look for their query compiler beside themselves; libSQL's is native; pg tries its
 * native half and goes on without; Vite is for development.
 */
const EXTERNAL = ["@prisma/client", "@origen/prisma-postgresql", "libsql", "pg-native", "vite"];

/**
 * Packages that others name and that the server never asks for, with who names them: Remix's own `fetch` for a Node that had none, and
 * Express's reading of bodies. Whoever did ask for one gets an error that says so.
 */
const UNUSED = [
  { name: /^(undici|@remix-run\/web-fetch)$/, in: /@remix-run\/node\/dist\/globals\.js$/ },
  { name: /^(iconv-lite|raw-body)$/, in: /\/body-parser\// },
];

/** A line of so many characters ends at the next place where it can, so that each has few places in its source. */
const LINE = 120;

/** @throws with esbuild's messages where something cannot be bundled. */
export async function bundleServer({ root, remix, to }: BundleInput): Promise<void> {
  const { outputFiles } = await esbuild(root).build({
    absWorkingDir: root,
    entryPoints: { server: "app/server.ts" },
    outdir: to,
    write: false,
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    target: "node22.19",
    // What a package has for bundlers leaves out what is not used of it.
    mainFields: ["module", "main"],
    // Its door to servers on the network would be loaded with it.
    alias: { "@libsql/client": "@libsql/client/sqlite3" },
    define: { "process.env.NODE_ENV": '"production"' },
    external: EXTERNAL,
    minifySyntax: true,
    minifyWhitespace: true,
    lineLimit: LINE,
    legalComments: "none",
    sourcemap: "linked",
    sourcesContent: false,
    logLevel: "error",
    // What is CommonJS asks for Node's own modules with it.
    banner: { js: 'import{createRequire as requireOf}from"node:module";const require=requireOf(import.meta.url);' },
    plugins: [
      { name: "Remix's build", setup: (build) => build.onResolve({ filter: REMIX }, () => ({ path: remix })) },
      { name: "unused packages", setup: leaveOut },
    ],
  });
  rmSync(to, { recursive: true, force: true });
  mkdirSync(to, { recursive: true });
  for (const { path, text } of outputFiles) writeFileSync(path, path.endsWith(".js") ? inAscii(text) : text);
  rmSync(dirname(remix), { recursive: true });
}

/** The name that app/server.ts gives to what Remix built. */
const REMIX = /^virtual:remix\/server-build$/;

function leaveOut(build: PluginBuild): void {
  const namespace = "unused";
  build.onResolve({ filter: /^[@\w]/ }, ({ path, importer }) =>
    UNUSED.some((each) => each.name.test(path) && each.in.test(importer.replaceAll("\\", "/")))
      ? { path, namespace }
      : undefined,
  );
  build.onLoad({ filter: /./, namespace }, ({ path }) => {
    const said = JSON.stringify(`${path} is not in the server's bundle (scripts/builds/server-bundle.ts)`);
    return { contents: `const refuse=()=>{throw new Error(${said})};module.exports=new Proxy(refuse,{get:refuse});` };
  });
}

/**
 * V8 holds a text with one letter beyond Latin-1 at two bytes a letter, all of it. esbuild writes such letters as escapes already, but for
 * those in regular expressions.
 */
function inAscii(text: string): string {
  return text.replaceAll(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

interface PluginBuild {
  onResolve(
    of: { filter: RegExp },
    resolve: (asked: { path: string; importer: string }) => { path: string; namespace?: string } | undefined,
  ): void;
  onLoad(of: { filter: RegExp; namespace: string }, load: (asked: { path: string }) => { contents: string }): void;
}

interface Esbuild {
  build(options: {
    plugins: { name: string; setup: (build: PluginBuild) => void }[];
    [option: string]: unknown;
  }): Promise<{ outputFiles: { path: string; text: string }[] }>;
}

/** Vite's own, so that one version compiles the app. */
function esbuild(root: string): Esbuild {
  return createRequire(join(root, "node_modules/vite/package.json"))("esbuild") as Esbuild;
}
