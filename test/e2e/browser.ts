import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { chromium } from "playwright-core";
import type { Browser, BrowserContext, BrowserContextOptions, Frame, Locator, Page } from "playwright-core";
import { hear } from "../complaints.ts";
import { STEP_MS } from "../patience.ts";

/** The browser the machine has, and pages in it that fail a test when they complain. */

const CANDIDATES: Partial<Record<NodeJS.Platform, string[]>> = {
  linux: [
    "/usr/bin/chromium",
    "/usr/bin/chromium-browser",
    "/usr/bin/google-chrome",
    "/usr/bin/google-chrome-stable",
    "/usr/bin/microsoft-edge",
    "/snap/bin/chromium",
  ],
  darwin: [
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
  ],
  win32: [process.env.PROGRAMFILES, process.env["PROGRAMFILES(X86)"], process.env.LOCALAPPDATA]
    .filter((base): base is string => Boolean(base))
    .flatMap((base) => [
      join(base, "Google/Chrome/Application/chrome.exe"),
      join(base, "Chromium/Application/chrome.exe"),
      join(base, "Microsoft/Edge/Application/msedge.exe"),
    ]),
};

const HOW_TO_GET_ONE =
  "No Chromium, Chrome or Edge was found, so the browser tests cannot run. Install one (Debian: apt-get install chromium; " +
  "macOS, Windows: any of the three) or name it in CHROMIUM_PATH.";

/** The browser's path, or null after saying how to get one; with REQUIRE_ALL=1 a missing one is an error. */
export function findBrowser(): string | null {
  const named = process.env.CHROMIUM_PATH;
  if (named && !existsSync(named)) throw new Error(`CHROMIUM_PATH names ${named}, which does not exist.`);
  const found = named ?? CANDIDATES[process.platform]?.find((path) => existsSync(path)) ?? null;
  if (found) return found;
  if (process.env.REQUIRE_ALL === "1") throw new Error(HOW_TO_GET_ONE);
  process.stderr.write(`${HOW_TO_GET_ONE}\n`);
  return null;
}

/** Crash reports and caches go where they do not outlive the checkout. */
const OWN_HOME = join(import.meta.dirname, "../../.cache/chromium");

export async function launchBrowser(executablePath: string): Promise<Browser> {
  return chromium.launch({
    executablePath,
    timeout: STEP_MS,
    env: { ...process.env, XDG_CONFIG_HOME: OWN_HOME, XDG_CACHE_HOME: OWN_HOME },
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
      // A context's own name reaches the worker of a new frame a moment after its first request.
      `--user-agent=${USER_AGENT}`,
    ],
  });
}

export const WIDE = { width: 1280, height: 900 };
export const NARROW = { width: 390, height: 844 };

/** Shopify's package turns bots away, and a headless browser's own name is one. */
const USER_AGENT =
  "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36";

export interface Visit {
  page: Page;
  context: BrowserContext;
  /** Console errors, warnings and uncaught exceptions so far that no test expected; each has failed the test that ran. */
  complaints: string[];
  /** The embedded app's frame, once it is there. */
  app(): Promise<Frame>;
  close(): Promise<void>;
}

/** A window of its own, whose pages wait for things as long as any step of a test does. */
export async function newWindow(browser: Browser, options: BrowserContextOptions = {}): Promise<BrowserContext> {
  const context = await browser.newContext(options);
  context.setDefaultTimeout(STEP_MS);
  return context;
}

/** Pages in a window of their own. `ignores`: what the browser may say at any time, for a reason that the caller names. */
export async function visit(
  browser: Browser,
  options: { viewport?: { width: number; height: number }; locale?: string; ignores?: RegExp } = {},
): Promise<Visit> {
  const context = await newWindow(browser, {
    viewport: options.viewport ?? WIDE,
    locale: options.locale ?? "en-US",
    userAgent: USER_AGENT,
  });
  const page = await context.newPage();
  const complaints: string[] = [];
  const complain = (complaint: string) => {
    if (options.ignores?.test(complaint) || hear(complaint)) return;
    complaints.push(complaint);
  };
  // The browser may tell what it said once more to a frame that comes later: the same words of the same moment are one complaint.
  const told = new Set<string>();
  // Of every page that the context opens, not only of the first.
  context.on("console", (message) => {
    if (message.type() !== "error" && message.type() !== "warning") return;
    const complaint = `${message.type()}: ${message.text()} (${message.location().url})`;
    const ofMoment = `${String(message.timestamp())} ${complaint}`;
    if (told.has(ofMoment)) return;
    told.add(ofMoment);
    complain(complaint);
  });
  context.on("weberror", (uncaught) => complain(`uncaught: ${uncaught.error().message}`));
  return {
    page,
    context,
    complaints,
    async app() {
      const element = await page.waitForSelector("iframe[name='app-iframe']", { state: "attached" });
      const frame = await element.contentFrame();
      if (!frame) throw new Error("The app's frame has no document.");
      return frame;
    },
    close: () => context.close(),
  };
}

/**
 * React has taken the element over, so a press on it does what it says. The network is no sign of that: a page where something is
 * under way asks again and again.
 */
export async function takenOver(element: Locator): Promise<void> {
  const handle = await element.elementHandle();
  const frame = await handle?.ownerFrame();
  await frame?.waitForFunction((one) => Object.keys(one!).some((key) => key.startsWith("__reactProps$")), handle);
}

/** For a context: its frames remember that somebody follows the presses of the admin's menu. */
export const noteFollowers = (context: BrowserContext) =>
  context.addInitScript(() => {
    const listen = window.addEventListener.bind(window);
    const noting = (...args: Parameters<typeof listen>) => {
      listen(...args);
      if (args[0] === "shopify:navigate") Object.assign(window, { isFollowed: true });
    };
    Object.assign(window, { addEventListener: noting });
  });

/**
 * A press in the admin's menu leads somewhere. Shopify's provider listens for it in an effect, which React runs at any time after it has
 * taken the page over. Needs `noteFollowers` before the page opens.
 */
export const menuIsFollowed = (app: Frame) => app.waitForFunction(() => "isFollowed" in window);

/** What the new size changes has been drawn, measured and drawn again. */
export async function drawn(app: Frame): Promise<void> {
  await app.evaluate(
    () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done)))),
  );
}

const SCREENSHOTS = join(import.meta.dirname, "screenshots");

/** Drawing and compressing them takes a third of the pages' time, and nobody looks at them in most runs. */
const areKept = process.env.SCREENSHOTS === "1";

/** Kept with SCREENSHOTS=1, or `always`, for a person to look at; not tracked. */
export async function keepScreenshot(page: Page, name: string, { always = false } = {}): Promise<void> {
  if (!areKept && !always) return;
  const path = join(SCREENSHOTS, `${name}.png`);
  await mkdir(dirname(path), { recursive: true });
  await page.screenshot({ path, fullPage: true });
}

const TALLEST_PX = 6_000;

/** The app's page down to its end: the window is made as tall as that for the picture. */
export async function keepWholePage({ page, app, name }: { page: Page; app: Frame; name: string }): Promise<void> {
  if (!areKept) return;
  const before = page.viewportSize() ?? WIDE;
  const hidden = await app.evaluate(() => document.documentElement.scrollHeight - window.innerHeight);
  const height = Math.min(TALLEST_PX, before.height + Math.max(0, hidden));
  await page.setViewportSize({ ...before, height });
  // The frame is a process of its own and draws when it gets to it.
  await app.waitForFunction((least) => window.innerHeight >= least, height - before.height);
  await app.evaluate(
    () => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(drawn, 100)))),
  );
  await keepScreenshot(page, name);
  await page.setViewportSize(before);
}
