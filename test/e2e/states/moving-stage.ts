import { isDeepStrictEqual } from "node:util";
import { expect } from "vitest";
import type { Browser, Frame, Locator } from "playwright-core";
import type { MoveAnswer, MoveIntent } from "../../../app/components/move/move-intent.ts";
import { hourMs } from "../../../app/domain/zone-days.ts";
import type { OriginAnswer, OriginIntent } from "../../../app/components/origin/origin-intent.ts";
import type { LinkPreview, MoveView } from "../../../app/views/origin.ts";
import { prepareJob } from "../../sandbox/play/job.ts";
import { playTheJob } from "../../sandbox/play/play.ts";
import { until } from "../../sandbox/play/until.ts";
import { startSandbox } from "../../sandbox/start.ts";
import type { Sandbox } from "../../sandbox/start.ts";
import type { AccountTemplate } from "../../sandbox/shipping/control.ts";
import type { LocationAddress, LocationRecord } from "../../sandbox/admin/state.ts";
import { byTurns } from "../../whole.ts";
import { sidewaysScroll, violationsIn } from "../axe.ts";
import { keepWholePage, NARROW, takenOver, visit, WIDE } from "../browser.ts";
import type { Visit } from "../browser.ts";
import { say } from "../dialogs.ts";
import type { PageLanguage } from "../dialogs.ts";
import { CLIENT, STORE } from "../job-stage.ts";
import { atTheEdge, clippedText, rawWords } from "./legible.ts";

/** A store whose locations move, and its owner's browser. */

const SCREENS = Object.entries({ wide: WIDE, phone: NARROW });

const MOVE = "routes/app.origins.$locationId_.move";
const LINK = "routes/app.origins.$locationId_.link.$templateId";
const ORIGIN = "routes/app.origins.$locationId";

/** The coming address, but for its street. */
const PLACE = {
  country_code: "MX",
  street_number: "210",
  apartment_number: "",
  area_level3: "Roma Norte",
  postal_code: "06700",
  area_level2: "Cuauhtémoc",
  area_level1: "Ciudad de México",
  reference: "Puerta azul",
};

export const placeOn = (street1: string) => ({ ...PLACE, street1 });

/** @throws when the job cannot be played. */
export async function startMovingStore(): Promise<Sandbox> {
  const sandbox = await startSandbox({
    locale: "en",
    shops: 1,
    shipping: {
      verification: { stepMs: [50, 100], verdicts: { fedex: "verified", dhl: "verified", estafeta: "verified" } },
    },
  });
  const told: string[] = [];
  if (await playTheJob(sandbox, { say: (line) => void told.push(line) })) return sandbox;
  await sandbox.stop();
  throw new Error(`The job could not be played: ${told.join("\n")}`);
}

export interface MovingOwner {
  tab: Visit;
  words(key: string): string;
  location(name: string): LocationRecord;
  /** The streets of all addresses in the account. */
  streets(): string[];
  templateOn(street: string): string | undefined;
  /** The id of a template with these values. */
  templateAt(address: Record<string, string>): string | undefined;
  /** Opens a page of the app, and waits until it listens. */
  open(path: string): Promise<Frame>;
  movePage(name: string): Promise<Frame>;
  button(app: Frame, key: string): Locator;
  /** Presses a button and the one of its dialog. */
  sure(app: Frame, key: string): Promise<void>;
  ask(name: string, intent: MoveIntent): Promise<MoveAnswer>;
  /** A command of the origin's page. */
  askOrigin(name: string, intent: OriginIntent): Promise<OriginAnswer>;
  /** Links a template to another location than the one that it was made for, in place of its own. */
  takeAway(templateId: string, to: string): Promise<OriginAnswer>;
  view(name: string): Promise<MoveView>;
  untilView(name: string, holds: (view: MoveView) => boolean): Promise<MoveView>;
  /** Shopify shows another address. */
  shows(name: string, address: Partial<LocationAddress>): void;
  /** Accessible, legible and no wider than the screen, on a wide one and on a phone. */
  looksWell(app: Frame, name: string): Promise<void>;
}

export async function movingOwner(
  { sandbox, browser }: { sandbox: Sandbox; browser: Browser },
  language: PageLanguage,
): Promise<MovingOwner> {
  sandbox.admin.settings.locale = language;
  const tab = await visit(browser, { locale: language === "es" ? "es-MX" : "en-US" });
  const { shop, visitor } = prepareJob(sandbox);
  const templates = () => sandbox.shipping!.templates(CLIENT);
  const streetOf = (template: AccountTemplate) => (template.address as { street1: string }).street1;
  const words = (key: string) => say(language, `move:${key}`);
  const location = (name: string) => [...shop.locations.values()].find((one) => one.name === name)!;
  const pathOf = (name: string) => `/app/origins/${location(name).id}/move`;
  const button = (app: Frame, key: string) => app.getByRole("button", { name: words(key), exact: true });
  const askOrigin = (name: string, intent: OriginIntent) =>
    visitor.submit<OriginAnswer>(`/app/origins/${location(name).id}`, ORIGIN, intent);
  const view = async (name: string) => (await visitor.load<{ view: MoveView }>(pathOf(name), MOVE)).view;
  const open = async (path: string) => {
    await tab.page.setViewportSize(WIDE);
    await tab.page.goto(`${sandbox.adminUrl}/store/${STORE}/apps/origen${path}`);
    const app = await tab.app();
    await takenOver(app.locator("h1").first());
    return app;
  };
  let looks = 0;
  return {
    tab,
    words,
    location,
    streets: () => templates().map(streetOf),
    templateOn: (street) => templates().find((one) => streetOf(one) === street)?.id,
    templateAt: (address) =>
      templates().find((one) => isDeepStrictEqual({ ...(one.address as object), ...address }, one.address))?.id,
    open,
    movePage: (name) => open(pathOf(name)),
    button,
    async sure(app, key) {
      await button(app, key).click();
      await app
        .getByRole("dialog")
        .getByRole("button", { name: words(key), exact: true })
        .click();
    },
    ask: (name, intent) => visitor.submit<MoveAnswer>(pathOf(name), MOVE, intent),
    askOrigin,
    async takeAway(templateId, to) {
      await askOrigin(to, { intent: "unlink" });
      const path = `/app/origins/${location(to).id}/link/${templateId}`;
      const { preview } = await visitor.load<{ preview: LinkPreview }>(path, LINK);
      return askOrigin(to, { intent: "link", templateId, templateVersion: preview.version });
    },
    view,
    untilView: (name, holds) => until({ what: `The move of ${name}`, read: () => view(name), holds }),
    shows: (name, address) =>
      void sandbox.admin.locations.change(shop, location(name).id, {
        address: { ...location(name).address, ...address },
      }),
    async looksWell(app, name) {
      looks += 1;
      for (const [screen, size] of byTurns(SCREENS, looks)) {
        await tab.page.setViewportSize(size);
        expect.soft(await violationsIn(app), `${name}, ${screen}`).toEqual([]);
        expect.soft(await sidewaysScroll(app), `${name}, ${screen}`).toEqual([]);
        expect.soft(await clippedText(app), `${name}, ${screen}`).toEqual([]);
        expect.soft(await atTheEdge(app), `${name}, ${screen}`).toEqual([]);
        await keepWholePage({ page: tab.page, app, name: `${name}-${language}-${screen}` });
      }
      expect.soft(await rawWords(app), name).toEqual([]);
      await tab.page.setViewportSize(WIDE);
    },
  };
}

export interface Hour {
  /** As a form says it. */
  hour: string;
  atMs: number;
}

/** The next full minute of the store's zone that is far enough away. */
export function hourAfter(leastMs: number): Hour {
  const zone = "America/Mexico_City";
  const atMs = Math.ceil((Date.now() + leastMs) / 60_000) * 60_000;
  const text = new Intl.DateTimeFormat("sv-SE", { timeZone: zone, dateStyle: "short", timeStyle: "short" });
  const hour = text.format(atMs).replace(" ", "T");
  expect(hourMs(hour, zone)).toBe(atMs);
  return { hour, atMs };
}

export const planOf = (street: string): MoveIntent => ({
  intent: "plan",
  place: placeOn(street),
  hour: null,
  keepFormer: true,
});
