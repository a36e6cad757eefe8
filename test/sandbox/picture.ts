// `npm run picture`: plays the job in the sandbox, opens Home in a browser, and keeps the picture that README shows.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { findBrowser, launchBrowser, takenOver, visit } from "../e2e/browser.ts";
import { PROJECT } from "./app-process.ts";
import { playTheJob } from "./play/play.ts";
import type { ShippingServiceOptions } from "./shipping/options.ts";
import { startSandbox } from "./start.ts";
import type { Sandbox } from "./start.ts";

const PICTURE = join(PROJECT, "docs/images/home.png");
const HIGHEST_BYTES = 150_000;
const SIZE = { width: 1120, height: 780 };

/** Carriers that answer at once; one of them refuses, so that Home has something to say. */
const CARRIERS: ShippingServiceOptions = {
  verification: { stepMs: [50, 100], verdicts: { fedex: "verified", dhl: "verified", estafeta: "rejected" } },
};

process.exitCode = await takePicture();

async function takePicture(): Promise<number> {
  const executable = findBrowser();
  if (!executable) return 1;
  const sandbox = await startSandbox({ locale: "en", shipping: CARRIERS, onProgress: (line) => console.log(line) });
  try {
    if (!(await playTheJob(sandbox, { say: (line) => console.log(line) }))) return 1;
    const browser = await launchBrowser(executable);
    try {
      return keep(await pictureOfHome(sandbox, browser));
    } finally {
      await browser.close();
    }
  } finally {
    await sandbox.stop();
  }
}

async function pictureOfHome({ adminUrl, stores }: Sandbox, browser: Browser): Promise<Buffer> {
  const tab = await visit(browser, { viewport: SIZE });
  await tab.page.goto(`${adminUrl}/store/${stores[0]!.handle}/apps/origen/app`);
  const app = await tab.app();
  await takenOver(app.locator("h1").first());
  const picture = await tab.page.screenshot();
  if (tab.complaints.length > 0) throw new Error(`The page complained: ${tab.complaints.join("; ")}`);
  return picture;
}

function keep(picture: Buffer): number {
  if (picture.length > HIGHEST_BYTES) {
    console.error(`The picture has ${picture.length} bytes; README's may have ${HIGHEST_BYTES}.`);
    return 1;
  }
  writeFileSync(PICTURE, picture);
  console.log(`${PICTURE}: ${picture.length} bytes`);
  return 0;
}
