import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Browser, Frame } from "playwright-core";
import { SUPPLIER } from "../fakes/by-hand.ts";
import * as pages from "../sandbox/play/pages.ts";
import { until } from "../sandbox/play/until.ts";
import { createVisitor } from "../sandbox/play/visitor.ts";
import type { Visitor } from "../sandbox/play/visitor.ts";
import { sandboxClient } from "../sandbox/shipping/options.ts";
import { startSandbox } from "../sandbox/start.ts";
import type { Sandbox } from "../sandbox/start.ts";
import { findBrowser, keepScreenshot, launchBrowser, NARROW, takenOver, visit, WIDE } from "./browser.ts";
import { say } from "./dialogs.ts";
import type { PageLanguage } from "./dialogs.ts";
import { CLIENT, STORE } from "./job-stage.ts";
import { LANGUAGES } from "../whole.ts";

/** A form that comes when its shop's share is used up keeps what was typed, says so beside its button, and is sent again by the next press. */

const executable = findBrowser();

const TYPED: Record<string, string> = { alias_name: "Proveedor", ...SUPPLIER.address_attributes } as never;
const FIELDS = Object.keys(TYPED).filter((name) => name !== "country_code" && name !== "address_type");
/** One comes back every 16 seconds, and the browser's press must be refused before it does, on a busy machine too. */
const FORMS_A_SECOND = "0.0625";

describe.skipIf(!executable)("a form that comes when its shop's share is used up", () => {
  let sandbox: Sandbox;
  let browser: Browser;
  let visitor: Visitor;

  beforeAll(async () => {
    sandbox = await startSandbox({ shops: 1, appEnv: { FORMS_A_SECOND } });
    visitor = createVisitor({ adminUrl: sandbox.adminUrl, store: STORE });
    await visitor.open("/app");
    const { clientId, clientSecret } = sandboxClient("production", 1);
    const stated = { environment: "production" as const, clientId, clientSecret, scope: null, redirectUri: null };
    await pages.askSettings({ visitor }, { intent: "connect", ...stated });
    browser = await launchBrowser(executable!);
  });
  afterAll(async () => {
    await browser?.close();
    await sandbox?.stop();
  });

  /** Others of the shop send until nothing more is taken. */
  const useUp = () =>
    until({
      what: "The end of the share",
      read: () => pages.askSettings({ visitor }, { intent: "disconnect_nothing" as never }).then(() => "taken", String),
      holds: (said) => said.includes("429"),
    });

  const field = (app: Frame, language: PageLanguage, name: string) =>
    app.getByLabel(say(language, `common:fields.${name}`), { exact: true });

  const VISITS = [
    ["en", "wide", WIDE],
    ["es", "narrow", NARROW],
  ] as const;
  test.each(VISITS.filter(([language]) => LANGUAGES.includes(language)))(
    "keeps every field, and makes one template at the next press (%s, %s)",
    async (language, size, viewport) => {
      sandbox.admin.settings.locale = language;
      const tab = await visit(browser, {
        viewport,
        locale: language === "es" ? "es-MX" : "en-US",
        // The answer itself.
        ignores: /status of 429/,
      });
      await tab.page.goto(`${sandbox.adminUrl}/store/${STORE}/apps/origen/app/address-book/new`);
      const app = await tab.app();
      const save = app.getByRole("button", { name: say(language, "addressBook:new.save"), exact: true });
      await takenOver(save);
      const alias = `${TYPED.alias_name} ${size}`;
      const typed: Record<string, string> = { ...TYPED, alias_name: alias };
      for (const name of FIELDS) await field(app, language, name).fill(typed[name]!);
      const made = () => sandbox.shipping!.templates(CLIENT).filter((each) => each.alias_name === alias).length;

      await useUp();
      await save.click();
      const note = app.getByText(say(language, "shell:tooMany.title"), { exact: true });
      await note.waitFor();
      const [button, told] = [(await save.boundingBox())!, (await note.boundingBox())!];
      expect(button.y - (told.y + told.height)).toBeLessThan(150);
      await keepScreenshot(tab.page, `too-many-${size}-${language}`);
      const values: Record<string, string> = {};
      for (const name of FIELDS) values[name] = await field(app, language, name).inputValue();
      expect(values).toEqual(Object.fromEntries(FIELDS.map((name) => [name, typed[name]])));
      expect(made()).toBe(0);

      // Until the share is back, each press says the same.
      await until({
        what: "The template",
        read: async () => {
          if (await save.isEnabled().catch(() => false)) await save.dblclick({ timeout: 1_000 }).catch(() => undefined);
          return made();
        },
        holds: (now) => now > 0,
      });
      await app.getByRole("heading", { name: alias }).waitFor();
      expect(made()).toBe(1);
      expect(tab.complaints).toEqual([]);
      await tab.close();
    },
  );
});
