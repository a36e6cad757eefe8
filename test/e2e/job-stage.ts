import { afterEach, beforeEach } from "vitest";
import type { Browser, Frame, Page } from "playwright-core";
import type { AccountTemplate } from "../sandbox/shipping/control.ts";
import type { ShippingServiceOptions } from "../sandbox/shipping/options.ts";
import { playTheJob } from "../sandbox/play/play.ts";
import { startSandbox } from "../sandbox/start.ts";
import type { Sandbox, SandboxOptions } from "../sandbox/start.ts";
import { launchBrowser, NARROW, visit, WIDE } from "./browser.ts";
import type { Visit } from "./browser.ts";

/** A sandbox, a browser and one tab, for the files that do a shop owner's job in it from the first page to the last. */

export const STORE = "taller-copal";
/** A location that lacks one thing: its colonia. */
export const LOCATION = "Almacén Mérida";
export const CLIENT = "production-client-1";

/** Carriers that answer at once; one of them refuses. */
export const QUICK_CARRIERS: ShippingServiceOptions = {
  verification: { stepMs: [50, 100], verdicts: { fedex: "verified", dhl: "verified", estafeta: "rejected" } },
};

export interface JobStage {
  sandbox: Sandbox;
  tab: Visit;
  page: Page;
  /** Opens a page of the app in the admin. */
  open(path: string): Promise<Frame>;
  /** The address book's templates now; of the first store's, or of another client's. */
  templates(clientId?: string): AccountTemplate[];
  close(): Promise<void>;
}

/** @throws with nothing left running. */
export async function startJobStage(executable: string, options: SandboxOptions = {}): Promise<JobStage> {
  const sandbox = await startSandbox({ locale: "en", ...options });
  try {
    const browser = await launchBrowser(executable);
    const tab = await visit(browser);
    return {
      sandbox,
      tab,
      page: tab.page,
      async open(path) {
        await tab.page.goto(`${sandbox.adminUrl}/store/${STORE}/apps/origen${path}`);
        return tab.app();
      },
      templates: (clientId = CLIENT) => sandbox.shipping!.templates(clientId),
      async close() {
        await browser.close();
        await sandbox.stop();
      },
    };
  } catch (error) {
    await sandbox.stop();
    throw error;
  }
}

/** A sandbox in which the job has been played, and a browser, for files that look at what it left. */
export async function startPlayedStage(executable: string): Promise<{ sandbox: Sandbox; browser: Browser }> {
  const sandbox = await startSandbox({ shops: 1, locale: "es", shipping: QUICK_CARRIERS });
  try {
    if (!(await playTheJob(sandbox, { say: () => undefined }))) throw new Error("The job could not be played.");
    return { sandbox, browser: await launchBrowser(executable) };
  } catch (error) {
    await sandbox.stop();
    throw error;
  }
}

/** Spanish on a phone, and English on a wide screen. */
export const VISITS = [
  ["es", "narrow", NARROW],
  ["en", "wide", WIDE],
] as const;

/** For a `describe` whose steps each build on the one before: after a failure the rest would only wait in vain. */
export function eachStepNeedsTheLast(): void {
  let failed = false;
  beforeEach((context) => context.skip(failed));
  afterEach((context) => {
    failed ||= context.task.result?.state === "fail";
  });
}
