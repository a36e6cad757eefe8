import type { ElementHandle, Frame, Page } from "playwright-core";

/** A person with a keyboard and no mouse: presses Tab until what they look for has the focus, and must see where they are all along. */

export interface Keyboard {
  /** Presses Tab until something of this name has the focus. @throws when it never does, or when the focus could not be seen on the way. */
  tabTo(name: string | RegExp, options?: { back?: boolean }): Promise<void>;
  press(key: string): Promise<void>;
  type(text: string): Promise<void>;
  /** The name of what has the focus, by its label or its words; "" when nothing has. */
  focused(): Promise<string>;
}

const MOST_PRESSES = 150;
/** How long the focus may take from the admin into the app's frame, which is another process of the browser. */
const CROSSING_MS = 1000;

export function createKeyboard(page: Page): Keyboard {
  const focused = async (): Promise<string> => {
    const at = await deepest(page);
    return at ? nameOf(at) : "";
  };
  return {
    focused,
    press: (key) => page.keyboard.press(key),
    async type(text) {
      await page.keyboard.press("ControlOrMeta+a");
      await page.keyboard.type(text);
    },
    async tabTo(name, { back = false } = {}) {
      const passed: string[] = [];
      for (let press = 0; press < MOST_PRESSES; press += 1) {
        await page.keyboard.press(back ? "Shift+Tab" : "Tab");
        const at = await settled(page);
        if (!at) continue;
        const here = await nameOf(at);
        const seen = await isSeen(at);
        // It was drawn anew under the focus, as the admin's menu is once the app has told it, or the app took the focus to itself.
        if (seen === "gone") continue;
        if (!seen)
          throw new Error(
            `One cannot see that "${here}" has the focus: ${await at.evaluate((one) => one.outerHTML.slice(0, 300))}`,
          );
        if (typeof name === "string" ? here === name : name.test(here)) return;
        passed.push(here);
      }
      throw new Error(`${MOST_PRESSES} presses of Tab did not lead to "${name}", but to: ${passed.join(" | ")}`);
    },
  };
}

/**
 * What has the focus once it has arrived. On its way into a frame nothing has it for a moment, and who pressed Tab again at once would
 * pass the frame's first field unread. Null when it stays nowhere, as after the last element of the page.
 */
async function settled(page: Page): Promise<ElementHandle<HTMLElement> | null> {
  const deadline = Date.now() + CROSSING_MS;
  let at = await deepest(page);
  while (!at && Date.now() < deadline) at = await deepest(page);
  return at;
}

/** What has the focus, in the admin or in the app's frame; null when it is a whole document. */
async function deepest(page: Page): Promise<ElementHandle<HTMLElement> | null> {
  const outer = await active(page.mainFrame());
  const inner = await outer?.contentFrame();
  return inner ? active(inner) : outer;
}

async function active(frame: Frame): Promise<ElementHandle<HTMLElement> | null> {
  const handle = await frame.evaluateHandle(() =>
    document.activeElement === document.body ? null : document.activeElement,
  );
  return handle.asElement() as ElementHandle<HTMLElement> | null;
}

function nameOf(element: ElementHandle<HTMLElement>): Promise<string> {
  return element.evaluate((one) => {
    const byId = (ids: string | null): string =>
      (ids ?? "")
        .split(" ")
        .map((id) => document.getElementById(id)?.textContent ?? "")
        .join(" ")
        .trim();
    const labels = "labels" in one ? [...((one as HTMLInputElement).labels ?? [])] : [];
    const words =
      byId(one.getAttribute("aria-labelledby")) ||
      one.getAttribute("aria-label") ||
      labels.map((label) => label.textContent).join(" ") ||
      one.textContent;
    return (words ?? "").replace(/\s+/g, " ").trim();
  });
}

/**
 * Whether the focus changes anything of how the element, what it is part of, or what stands for it is drawn; "gone" when the element has
 * lost the focus meanwhile.
 */
function isSeen(element: ElementHandle<HTMLElement>): Promise<boolean | "gone"> {
  return element.evaluate(async (one) => {
    const drawn = (): string => {
      const around = [one, one.parentElement, ...(one.parentElement?.children ?? [])].filter((each) => each !== null);
      return around
        .flatMap((each) => [null, "::before", "::after"].map((part) => getComputedStyle(each, part)))
        .map(({ outlineStyle, outlineWidth, outlineColor, boxShadow, borderColor, opacity }) =>
          [outlineStyle === "none" ? "" : outlineWidth + outlineColor, boxShadow, borderColor, opacity].join(),
        )
        .join(";");
    };
    if (document.activeElement !== one) return "gone";
    const focused = drawn();
    one.blur();
    // Polaris draws some of it a moment later.
    const deadline = performance.now() + 500;
    let differs = drawn() !== focused;
    while (!differs && performance.now() < deadline) {
      await new Promise((done) => setTimeout(done, 20));
      differs = drawn() !== focused;
    }
    if (!one.isConnected) return "gone";
    one.focus({ preventScroll: true });
    return differs;
  });
}
