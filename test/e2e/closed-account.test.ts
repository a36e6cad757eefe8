import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Browser, Frame } from "playwright-core";
import type { SettingsReply } from "../../app/components/settings/settings-actions.ts";
import { sandboxClient } from "../sandbox/shipping/options.ts";
import { prepareJob } from "../sandbox/play/job.ts";
import type { Job } from "../sandbox/play/job.ts";
import * as pages from "../sandbox/play/pages.ts";
import { STEPS } from "../sandbox/play/steps.ts";
import { until } from "../sandbox/play/until.ts";
import { startSandbox } from "../sandbox/start.ts";
import type { Sandbox } from "../sandbox/start.ts";
import { findBrowser, keepScreenshot, launchBrowser, takenOver, visit } from "./browser.ts";
import type { Visit } from "./browser.ts";
import { say } from "./dialogs.ts";
import { STORE } from "./job-stage.ts";
import { byTurns, LANGUAGES } from "../whole.ts";

/** While the shipping account is closed nothing can be asked of the carriers: each page says why, in the same words. */

const executable = findBrowser();

const CLOSED = ["not_connected", "account_unconfirmed"] as const;

const ELSEWHERE = {
  alias_name: "Otra bodega",
  address_type: "from",
  address_attributes: {
    name: "Ramón Ituarte",
    street1: "Calle 5 de Mayo",
    street_number: "310",
    country_code: "MX",
    area_level1: "Puebla",
    area_level2: "Puebla",
    area_level3: "Centro",
    postal_code: "72000",
    phone: "2222420707",
    email: "puebla@taller-copal.example",
    reference: "Junto al zaguán",
  },
};

describe.skipIf(!executable)("while the account is closed", () => {
  let sandbox: Sandbox;
  let browser: Browser;
  let job: Job;
  let paths: Record<"origin" | "address", string>;

  beforeAll(async () => {
    sandbox = await startSandbox({ locale: "en" });
    browser = await launchBrowser(executable!);
    job = prepareJob(sandbox);
    for (const step of STEPS.slice(0, 5)) await step.run(job);
    const [location] = job.origins();
    const template = await job.templateOf(location!);
    paths = { origin: `/app/origins/${location!.id}`, address: `/app/address-book/${template!.id}` };
  });

  afterAll(async () => {
    await browser?.close();
    await sandbox?.stop();
  });

  const ask = (body: object) => job.visitor.submit<SettingsReply>("/app/settings", "routes/app.settings", body);

  async function close(reason: (typeof CLOSED)[number]): Promise<void> {
    if (reason === "not_connected") return void (await ask({ intent: "disconnect" }));
    // An account that was in use and whose addresses are known; nothing tells whether it is the one that the links belong to.
    const { clientId } = sandboxClient("production", 2);
    sandbox.shipping!.createTemplate(clientId, ELSEWHERE);
    const address = `/app/address-book/${sandbox.shipping!.templates(clientId)[0]!.id}`;
    expect(await connect(2)).toBe("unconfirmed");
    const { connection } = await pages.settings(job);
    await ask({ intent: "confirm_account", connectionId: connection!.id, same: false });
    await until({
      what: "The other account's address",
      read: () => job.visitor.open(address),
      holds: ({ status }) => status === 200,
    });
    expect(await connect(1)).toBe("connected");
    expect(await connect(2)).toBe("unconfirmed");
    paths.address = address;
  }

  async function connect(client: number): Promise<string> {
    const { clientId, clientSecret } = sandboxClient("production", client);
    const stated = { environment: "production", clientId, clientSecret, scope: null, redirectUri: null };
    return (await ask({ intent: "connect", ...stated })).outcome.kind;
  }

  async function open(tab: Visit, path: string): Promise<Frame> {
    await tab.page.goto(`${sandbox.adminUrl}/store/${STORE}/apps/origen${path}`);
    const app = await tab.app();
    await takenOver(app.locator("h1").first());
    return app;
  }

  describe.each(byTurns(CLOSED, 0))("%s", (reason) => {
    beforeAll(() => close(reason));

    test.each(LANGUAGES)("no page offers to ask the carriers, in %s", async (language) => {
      sandbox.admin.settings.locale = language;
      const tab = await visit(browser, { locale: language === "es" ? "es-MX" : "en-US" });
      for (const name of ["origin", "address"] as const) {
        const app = await open(tab, paths[name]);
        const words = app.getByText(say(language, `common:closed.${reason}`), { exact: true });
        expect.soft(await words.count()).toBe(1);
        const choose = app.getByRole("button", { name: say(language, "origin:verification.choose"), exact: true });
        expect.soft(await choose.isDisabled()).toBe(true);
        await keepScreenshot(tab.page, `closed-${reason}-${name}-${language}`);
      }
      const app = await open(tab, "/app/origins");
      const box = app.locator("tbody").getByRole("checkbox").first();
      await takenOver(box);
      await box.click();
      await app
        .getByRole("button", { name: say(language, "origins:bulk.sync"), exact: true })
        .first()
        .waitFor();
      const verify = app.getByRole("button", { name: say(language, "origins:bulk.verify"), exact: true });
      expect.soft(await verify.count()).toBe(0);
      await keepScreenshot(tab.page, `closed-${reason}-bulk-${language}`);
      await tab.close();
    });
  });
});
