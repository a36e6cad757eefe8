// `npm run picture`: plays the job in the sandbox, opens Home in a browser, and keeps the picture that README shows.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import type { HomeView } from "../../app/views/home.ts";
import { findBrowser, launchBrowser, takenOver, visit } from "../e2e/browser.ts";
import { PROJECT } from "./app-process.ts";
import { prepareJob } from "./play/job.ts";
import { playTheJob } from "./play/play.ts";
import { until } from "./play/until.ts";
import type { ShippingServiceOptions } from "./shipping/options.ts";
import { startSandbox } from "./start.ts";
import type { Sandbox } from "./start.ts";

const PICTURE = join(PROJECT, "docs/images/home.png");
const HIGHEST_BYTES = 150_000;
const SIZE = { width: 1120, height: 740 };
/** The route of Home. */
const HOME = "routes/app._index";

/** Carriers that answer at once, and accept. */
const CARRIERS: ShippingServiceOptions = {
  verification: { stepMs: [50, 100], verdicts: { fedex: "verified", dhl: "verified", estafeta: "verified" } },
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
      await furnish(sandbox);
      return keep(await pictureOfHome(sandbox, browser));
    } finally {
      await browser.close();
    }
  } finally {
    await sandbox.stop();
  }
}

/**
 * After the job nothing is wrong. This adds what Home is for: an address that a carrier refuses, and a value that somebody changed by hand.
 */
async function furnish(sandbox: Sandbox): Promise<void> {
  const job = prepareJob(sandbox);
  const [, refused, edited] = job.origins();
  const idOf = async (location: typeof refused) => (await job.templateOf(location!))!.id;
  const readHome = async () => (await job.visitor.load<{ home: HomeView }>("/app", HOME)).home;
  await until({
    what: "The carriers' answers",
    read: readHome,
    holds: ({ origins }) => origins.ready === origins.total,
  });
  job.service.setVerdict({ templateId: await idOf(refused), carrier: "dhl", status: "rejected" });
  job.service.editTemplate(await idOf(edited), { address_attributes: { reference: "Entrada por el callejón" } });
  await job.visitor.submit("/app", "routes/app", { intent: "refresh_connection" });
  await until({
    what: "What needs the owner",
    read: readHome,
    holds: ({ needs }) => needs.length === 2,
  });
  await job.visitor.submit("/app", HOME, {});
}

async function pictureOfHome({ adminUrl, stores }: Sandbox, browser: Browser): Promise<Buffer> {
  const tab = await visit(browser, { viewport: SIZE });
  await tab.page.goto(`${adminUrl}/store/${stores[0]!.handle}/apps/origen/app`);
  const app = await tab.app();
  await takenOver(app.locator("h1").first());
  const picture = await tab.page.screenshot({ animations: "disabled" });
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
