import { INTERFACE_MEMBERS } from "../members.ts";
import { checkAttributes } from "./strict.ts";

/** A button or link of a bar, as the admin draws it. */
export interface MenuItem {
  label: string;
  variant: string | null;
  tone: string | null;
  disabled: boolean;
  loading: boolean;
  href: string | null;
}

const ITEM_ATTRIBUTES = [
  ...(INTERFACE_MEMBERS.BaseElementAttributes ?? []),
  ...(INTERFACE_MEMBERS.MenuItemProperties ?? []),
];
const ITEM_VARIANTS = new Set([null, "", "primary", "breadcrumb"]);
const ITEM_TONES = new Set([null, "", "critical", "default"]);

export function menuItem(element: Element): MenuItem {
  checkAttributes(element, ITEM_ATTRIBUTES);
  const variant = element.getAttribute("variant");
  const tone = element.getAttribute("tone");
  if (!ITEM_VARIANTS.has(variant)) throw new TypeError(`A bar's item has no variant "${variant}"`);
  if (!ITEM_TONES.has(tone)) throw new TypeError(`A bar's item has no tone "${tone}"`);
  return {
    label: element.textContent?.trim() ?? "",
    variant,
    tone,
    disabled: isOn(element.getAttribute("disabled")),
    loading: isOn(element.getAttribute("loading")),
    href: element.getAttribute("href"),
  };
}

/** Calls back soon after anything inside the element changes, and once now. */
export function watch(element: Element, changed: () => void): MutationObserver {
  const observer = new MutationObserver(changed);
  observer.observe(element, { attributes: true, characterData: true, childList: true, subtree: true });
  changed();
  return observer;
}

function isOn(value: string | null): boolean {
  return value !== null && value !== "false";
}
