// What an order page of the admin does with extensions: blocks in their place, actions and links in the menu.
import type { ExtensionView, Manifest } from "../protocol.ts";
import { context } from "./admin.ts";
import { openAction } from "./action-dialog.ts";
import { defineElements } from "./elements/define.ts";
import { showFailure } from "./failure.ts";
import { extensionHandle, resolveLink, withResource } from "./links.ts";
import { runExtension } from "./run.ts";

/** The order of the page; the list of orders has one selection after another. */
const ofPage = context.orderId === null ? [] : [context.orderId];

async function begin(): Promise<void> {
  const response = await fetch(`/extension-host/${context.handle}/manifest.json`);
  if (!response.ok) throw new Error(await response.text());
  const manifest = (await response.json()) as Manifest;
  defineElements(manifest.elements.elements);
  for (const place of document.querySelectorAll<HTMLElement>("[data-extension-blocks]")) {
    for (const extension of targeting(manifest, place.dataset.extensionBlocks!)) showBlock(manifest, extension, place);
  }
  for (const menu of document.querySelectorAll<HTMLElement>("[data-extension-menu]")) {
    if (menu.dataset.extensionMenu!.includes("selection")) followSelection(manifest, menu);
    else fillMenu(manifest, menu, ofPage);
  }
}

function targeting({ extensions }: Manifest, target: string): ExtensionView[] {
  return extensions.filter((extension) => extension.target === target);
}

function showBlock(manifest: Manifest, extension: ExtensionView, place: HTMLElement): void {
  const root = document.createElement("section");
  root.className = "card";
  root.dataset.extension = extension.handle;
  root.setAttribute("aria-label", extension.name);
  place.append(root);
  const running = runExtension({
    manifest,
    extension,
    target: extension.target,
    script: extension.script,
    selected: ofPage,
    root,
    navigate: (url) => navigate(manifest, url),
    close: () => {},
    fail: (message) => {
      running.stop();
      showFailure(root, message);
    },
  });
  running.result.catch((error: Error) => showFailure(root, error.message));
}

/** A block may open an action of the same page, or leave it. */
function navigate(manifest: Manifest, url: string): void {
  const handle = extensionHandle(url);
  const action = manifest.extensions.find((one) => one.handle === handle && one.target.endsWith(".action.render"));
  if (action) return openAction({ manifest, extension: action, selected: ofPage });
  const address = resolveLink(url);
  if (address) location.assign(address);
}

function fillMenu(manifest: Manifest, menu: HTMLElement, selected: string[]): void {
  const list = menu.querySelector("ul") ?? menu.appendChild(document.createElement("ul"));
  const add = (item: HTMLElement): void => void list.appendChild(document.createElement("li")).append(item);
  const asked: Promise<void>[] = [];
  for (const extension of targeting(manifest, `${menu.dataset.extensionMenu}.render`)) {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = extension.name;
    button.addEventListener("click", () => {
      menu.removeAttribute("open");
      openAction({ manifest, extension, selected });
    });
    asked.push(mayShow(manifest, extension, selected).then((shown) => void (shown && add(button))));
  }
  menu.setAttribute("aria-busy", "true");
  void Promise.all(asked).then(() => menu.removeAttribute("aria-busy"));
  for (const { target, text, url } of manifest.links) {
    if (target !== `${menu.dataset.extensionMenu}.link`) continue;
    const link = document.createElement("a");
    link.href = withResource(resolveLink(url) ?? "");
    link.textContent = text;
    add(link);
  }
}

/** The list's menu of what can be done with the selected orders: filled anew at each change, as Shopify does. */
function followSelection(manifest: Manifest, menu: HTMLElement): void {
  const boxes = [...document.querySelectorAll<HTMLInputElement>("input[data-select]")];
  const all = document.querySelector<HTMLInputElement>("input[data-select-all]");
  const change = (): void => {
    const selected = boxes.filter(({ checked }) => checked).map(({ value }) => value);
    menu.hidden = selected.length === 0;
    menu.querySelector("ul")!.replaceChildren();
    menu.querySelector("[data-selected]")!.textContent = String(selected.length);
    if (selected.length > 0) fillMenu(manifest, menu, selected);
  };
  const changeAll = (): void => {
    for (const box of boxes) box.checked = all!.checked;
    change();
  };
  for (const box of boxes) box.addEventListener("change", change);
  all?.addEventListener("change", changeAll);
  // It may have been ticked before this script was here.
  if (all?.checked) changeAll();
  else change();
}

/** An action with a condition is offered when that says so; one whose condition fails is not. */
async function mayShow(manifest: Manifest, extension: ExtensionView, selected: string[]): Promise<boolean> {
  if (!extension.condition) return true;
  const running = runExtension({
    manifest,
    extension,
    target: extension.target.replace(/\.render$/, ".should-render"),
    script: extension.condition,
    selected,
    root: document.createElement("div"),
    navigate: () => {},
    close: () => {},
    fail: () => {},
  });
  const result = (await running.result.catch(() => null)) as { display?: unknown } | null;
  running.stop();
  return result?.display === true;
}

begin().catch((error: Error) => {
  const place = document.querySelector<HTMLElement>("[data-extension-blocks]");
  if (place) showFailure(place, error.message);
});
