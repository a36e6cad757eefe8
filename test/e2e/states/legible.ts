import type { Frame } from "playwright-core";
import english from "../../../app/i18n/locales/en.ts";
import spanish from "../../../app/i18n/locales/es-MX.ts";

/** What a machine can see of whether a page can be read: no text that its box cuts off, and no word that is ours and not a person's. */

/** Texts that a part of the page cuts off without a way to scroll to the rest, and values longer than their field. */
export async function clippedText(app: Frame): Promise<string[]> {
  return app.evaluate(() => {
    const found = new Set<string>();
    const SLACK_PX = 2;
    // Polaris draws what a select has chosen a second time, and only that is seen.
    const UNSEEN =
      "script, style, option, [aria-hidden='true']:not(.Polaris-Select__Content, .Polaris-Select__Content *)";
    const isCut = (style: string) => style === "hidden" || style === "clip";
    // For screen readers alone: a box of one pixel.
    const isForEars = (part: Element) => {
      const { width, height } = part.getBoundingClientRect();
      return width <= 1 || height <= 1;
    };
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const text = (node.textContent ?? "").trim();
      const holder = node.parentElement;
      if (text === "" || !holder || holder.closest(UNSEEN)) continue;
      if (!holder.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
      const range = document.createRange();
      range.selectNodeContents(node);
      const seen = range.getBoundingClientRect();
      if (seen.width === 0) continue;
      for (let part: HTMLElement | null = holder; part && part !== document.body; part = part.parentElement) {
        if (isForEars(part)) break;
        const style = getComputedStyle(part);
        const box = part.getBoundingClientRect();
        const sideways = seen.right > box.right + SLACK_PX || seen.left < box.left - SLACK_PX;
        const upright = seen.bottom > box.bottom + SLACK_PX || seen.top < box.top - SLACK_PX;
        if ((isCut(style.overflowX) && sideways) || (isCut(style.overflowY) && upright))
          found.add(`"${text.slice(0, 60)}" in <${part.localName} class="${part.className}">`);
        if (style.overflowX === "auto" || style.overflowY === "auto") break;
        if (style.position === "fixed") break;
      }
    }
    for (const field of document.querySelectorAll<HTMLInputElement>("input:not([type='checkbox'], [type='radio'])"))
      if (field.checkVisibility() && !isForEars(field) && field.scrollWidth > field.clientWidth + SLACK_PX)
        found.add(`the value "${field.value.slice(0, 60)}" in its field`);
    return [...found];
  });
}

/** Banners that stand right beside another one: of two only the first would be read. */
export async function bannersTogether(app: Frame): Promise<string[]> {
  return app.evaluate(() => {
    const APART_PX = 48;
    const banners = [...document.querySelectorAll<HTMLElement>(".Polaris-Banner")].filter((one) =>
      one.checkVisibility(),
    );
    const words = (banner: HTMLElement) => `"${banner.innerText.split("\n")[0] ?? ""}"`;
    return banners.flatMap((upper, nth) =>
      banners.slice(nth + 1).flatMap((lower) => {
        const [a, b] = [upper.getBoundingClientRect(), lower.getBoundingClientRect()];
        const beside = a.left < b.right && b.left < a.right && Math.abs(b.top - a.bottom) < APART_PX;
        return beside ? [`${words(upper)} and ${words(lower)}`] : [];
      }),
    );
  });
}

/** Texts and buttons that touch the page's left edge, as what stands in no card does on a phone. */
export async function atTheEdge(app: Frame): Promise<string[]> {
  return app.evaluate(() => {
    const NEAREST_PX = 4;
    const isSeen = (part: Element) => {
      const { width, height } = part.getBoundingClientRect();
      return width > 1 && height > 1 && part.checkVisibility({ visibilityProperty: true, opacityProperty: true });
    };
    return [...document.querySelectorAll("p, button, h1, h2, h3")]
      .filter((part) => isSeen(part) && part.getBoundingClientRect().left < NEAREST_PX)
      .map((part) => part.textContent.trim());
  });
}

/** Keys of messages, as a page would show one that has no words. */
const KEYS: ReadonlySet<string> = new Set([english, spanish].flatMap(({ messages }) => keysOf(messages)));

function keysOf(messages: object, above: string[] = []): string[] {
  return Object.entries(messages).flatMap(([key, value]) => {
    const path = [...above, key];
    if (typeof value === "object" && value !== null) return keysOf(value as object, path);
    const [namespace, ...rest] = path;
    return rest.length > 1 ? [rest.join("."), `${namespace}:${rest.join(".")}`] : [`${namespace}:${rest.join(".")}`];
  });
}

const ODD: Record<string, RegExp> = {
  "a name of the code": /(?<![\w@.-])[a-z]+(?:_[a-z0-9]+)+(?![\w@-])/g,
  "a code": /(?<![\w@.-])[A-Z]+(?:_[A-Z\d]+)+(?![\w@-])/g,
  "a camel's name": /(?<![\w@.-])[a-z]{2,}[A-Z][a-zA-Z]*(?![\w@-])/g,
  "an empty place": /\{+\s*\w+\s*\}+/g,
  "no value": /\b(?:undefined|NaN|Invalid Date|\[object \w+\])|\bnull\b/g,
};

/** Settings explains it: an owner may write it into the names of her addresses. */
const ALIAS_PLACE = "an empty place: {name}";

/** Words of a page that no person wrote for it: keys, states and fields of the code, places that were not filled in. */
export async function rawWords(app: Frame): Promise<string[]> {
  const explains = new URL(app.url()).pathname === "/app/settings";
  const text = await app.evaluate(() => {
    const told = [...document.querySelectorAll("[aria-label], [title], [placeholder], [alt]")].flatMap((part) =>
      ["aria-label", "title", "placeholder", "alt"].map((name) => part.getAttribute(name) ?? ""),
    );
    const options = [...document.querySelectorAll("option")].map((option) => option.textContent ?? "");
    return [document.body.innerText, ...told, ...options].join("\n");
  });
  return oddWords(text).filter((word) => !(explains && word === ALIAS_PLACE));
}

/** The same of a text. */
export function oddWords(text: string): string[] {
  const keys = text.split(/[\s"«»(),]+/).filter((word) => KEYS.has(word));
  const odd = Object.entries(ODD).flatMap(([what, pattern]) =>
    [...text.matchAll(pattern)].map(([word]) => `${what}: ${word}`),
  );
  return [...new Set([...keys.map((key) => `a key: ${key}`), ...odd])];
}
