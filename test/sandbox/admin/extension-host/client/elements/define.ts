import type { ElementPolicy } from "../../protocol.ts";
import { Button, Link } from "./buttons.ts";
import { FIELDS } from "./fields.ts";
import { AdminAction, AdminBlock, Banner, Box, Grid, Section, Stack } from "./layout.ts";
import { setStyle } from "./plain-element.ts";
import type { PlainElement } from "./plain-element.ts";
import { PAGE_STYLE, STYLE } from "./style.ts";
import { Badge, Divider, Heading, List, ListItem, Paragraph, Picture, Spinner, Text } from "./words.ts";

const DRAWN: Record<string, typeof PlainElement> = {
  ...FIELDS,
  "s-admin-block": AdminBlock,
  "s-admin-action": AdminAction,
  "s-stack": Stack,
  "s-grid": Grid,
  "s-section": Section,
  "s-banner": Banner,
  "s-text": Text,
  "s-paragraph": Paragraph,
  "s-heading": Heading,
  "s-badge": Badge,
  "s-divider": Divider,
  "s-spinner": Spinner,
  "s-icon": Picture,
  "s-image": Picture,
  "s-unordered-list": List,
  "s-ordered-list": List,
  "s-list-item": ListItem,
  "s-button": Button,
  "s-clickable": Button,
  "s-link": Link,
};

/** Defines every element of the list. An element without a rendering of its own is a box around its children. */
export function defineElements(elements: Record<string, ElementPolicy>): void {
  setStyle(STYLE);
  const page = new CSSStyleSheet();
  page.replaceSync(PAGE_STYLE);
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, page];
  for (const [tag, { properties }] of Object.entries(elements)) {
    const Base = (DRAWN[tag] ?? Box) as unknown as new () => HTMLElement;
    const Drawn = class extends Base {} as unknown as typeof PlainElement;
    for (const name of properties) {
      if (name === "id") continue;
      Object.defineProperty(Drawn.prototype, name, {
        get(this: PlainElement) {
          return this.read(name);
        },
        set(this: PlainElement, value: unknown) {
          this.write(name, value);
        },
      });
    }
    customElements.define(tag, Drawn as never);
  }
}
