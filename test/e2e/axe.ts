import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Frame } from "playwright-core";

// The builder's way through all frames of a page takes seconds each time; what is looked at is in one frame, so axe itself runs there.
const { resolve } = createRequire(import.meta.url);
const AXE = readFileSync(createRequire(resolve("@axe-core/playwright")).resolve("axe-core/axe.min.js"), "utf8");

interface AxeNode {
  html: string;
  failureSummary?: string;
}

interface AxeRun {
  run(context: Document | string, options: object): Promise<{ violations: { id: string; nodes: AxeNode[] }[] }>;
}

/** What axe finds wrong in a frame as it stands, dialogs included, or in what the selector names alone; a line a rule. */
export async function violationsIn(frame: Frame, selector?: string): Promise<string[]> {
  if (!(await frame.evaluate(() => "axe" in window))) await frame.evaluate(AXE);
  const violations = await frame.evaluate(async (part) => {
    const { axe } = window as unknown as { axe: AxeRun };
    const rules = { "target-size": { enabled: true } };
    return (await axe.run(part ?? document, { resultTypes: ["violations"], rules })).violations;
  }, selector);
  return violations.map(
    ({ id, nodes }) => `${id}: ${nodes.map(({ html, failureSummary }) => `${html} (${failureSummary})`).join(" | ")}`,
  );
}

/**
 * Badges and marked icons that say something by colour alone: without words, or with the words of another that has another colour.
 */
export async function toldByColourAlone(app: Frame): Promise<string[]> {
  return app.evaluate(() => {
    const wrong: string[] = [];
    const toneOf = new Map<string, string>();
    for (const badge of document.querySelectorAll(".Polaris-Badge")) {
      const words = (badge.textContent ?? "").trim();
      const tone = [...badge.classList].filter((name) => name.startsWith("Polaris-Badge--tone")).join();
      if (words === "") wrong.push(badge.outerHTML);
      const known = toneOf.get(words);
      if (known !== undefined && known !== tone) wrong.push(`"${words}" in two colours`);
      toneOf.set(words, tone);
    }
    for (const field of document.querySelectorAll("[aria-invalid='true']")) {
      const ids = (field.getAttribute("aria-describedby") ?? "").split(" ").filter(Boolean);
      const words = ids.map((id) => document.getElementById(id)?.textContent ?? "").join(" ");
      if (words.trim() === "") wrong.push(field.outerHTML);
    }
    for (const icon of document.querySelectorAll(".Polaris-Icon[class*='tone']")) {
      const row =
        icon.closest("li, button, .Polaris-Banner, .Polaris-InlineError, p, div:has(> p)") ?? icon.parentElement;
      if ((row?.textContent ?? "").trim() === "") wrong.push(icon.outerHTML);
    }
    return wrong;
  });
}

/** How far something is wider than the screen: the page itself, or a part of it that would have to be scrolled sideways; pixels. */
export async function sidewaysScroll(app: Frame): Promise<string[]> {
  return app.evaluate(() => {
    const parts = [...document.querySelectorAll<HTMLElement>("body *")].filter((part) => {
      const { overflowX } = getComputedStyle(part);
      return (overflowX === "auto" || overflowX === "scroll") && part.scrollWidth > part.clientWidth + 1;
    });
    const whole = document.documentElement.scrollWidth - window.innerWidth;
    return [
      ...(whole > 0 ? [`the page by ${whole} px`] : []),
      ...parts.map(
        (part) => `<${part.localName} class="${part.className}"> by ${part.scrollWidth - part.clientWidth} px`,
      ),
    ];
  });
}
