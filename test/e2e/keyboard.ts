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
        const at = await deepest(page);
        if (!at) continue;
        const here = await nameOf(at);
        if (!(await isSeen(at)))
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

/** Whether the focus changes anything of how the element, what it is part of, or what stands for it is drawn. */
function isSeen(element: ElementHandle<HTMLElement>): Promise<boolean> {
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
    const focused = drawn();
    one.blur();
    // Polaris draws some of it a moment later.
    const deadline = performance.now() + 500;
    let differs = drawn() !== focused;
    while (!differs && performance.now() < deadline) {
      await new Promise((done) => setTimeout(done, 20));
      differs = drawn() !== focused;
    }
    one.focus({ preventScroll: true });
    return differs;
  });
}
