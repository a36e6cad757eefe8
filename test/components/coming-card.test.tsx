import { AppProvider } from "@shopify/polaris";
import { renderToStaticMarkup } from "react-dom/server";
import { beforeAll, describe, expect, test } from "vitest";
import { cancelWords } from "../../app/components/move/cancel-words.ts";
import { ComingCard } from "../../app/components/move/coming-card.tsx";
import { ShellProvider } from "../../app/components/shell/shell-context.tsx";
import { addLanguage, languageInstance } from "../../app/i18n/i18n.ts";
import english from "../../app/i18n/locales/en.ts";
import type { MoveView } from "../../app/views/origin.ts";

type Coming = NonNullable<MoveView["coming"]>;

beforeAll(() => {
  if (!languageInstance("en")) addLanguage("en", english);
});

const IN_BOOK: Coming = {
  ...{ templateId: "template-2", lines: ["Calle Morelos 55"], hour: null, keepFormer: true, asks: null, refusal: null },
  ...{ canPass: true, isPressed: false, standings: [] },
};
const MAKING: Coming = { ...IN_BOOK, templateId: null };
const REFUSED: Coming = {
  ...MAKING,
  refusal: {
    code: "refused_by_service",
    message: "phone: is not a valid phone number · area_level3: does not exist here · Try later",
    fields: { phone: ["is not a valid phone number"], area_level3: ["does not exist here"] },
    requestId: null,
  },
};
const SHOWN_EARLY = { why: "early" } as const;
const HAS_MOVED = { why: "moved" } as const;

function markupOf(coming: Coming, isServed = true): string {
  return renderToStaticMarkup(
    <AppProvider i18n={languageInstance("en")!.polaris}>
      <ShellProvider language="en" timeZone="UTC" nowMs={0}>
        <ComingCard
          coming={coming}
          isServed={isServed}
          held={null}
          actions={{ send: () => undefined, busy: null, answer: undefined }}
        />
      </ShellProvider>
    </AppProvider>,
  );
}

const shown = (coming: Coming, isServed = true) =>
  markupOf(coming, isServed)
    .replace(/<[^>]*>/g, " ")
    .replace(/\s+/g, " ");

describe("what is said of a move that would be called off", () => {
  test.each([
    ["whose new address is in the book", IN_BOOK, "cancel.stays"],
    ["whose new address is being added", MAKING, "cancel.mayCome"],
    ["whose new address the service refused", REFUSED, null],
    ["whose new address was deleted in the book", { ...MAKING, asks: "missing" } as Coming, null],
  ])("of one %s is where that address stays", (_which, coming, words) => {
    expect(cancelWords(coming, null)).toEqual([...(words ? [words] : []), "cancel.shopifys"]);
  });

  test("of one that waits for another account is that the new address stays in that one's book", () => {
    expect(cancelWords({ ...IN_BOOK, canPass: false }, null)).toEqual(["cancel.staysThere", "cancel.shopifys"]);
  });

  test("of a location that keeps another address than Shopify's is not that Shopify shows it", () => {
    expect(cancelWords(IN_BOOK, HAS_MOVED)).toEqual(["cancel.stays", "cancel.keeps"]);
  });

  test("of a location whose new address Shopify shows already is that this one is used from then on", () => {
    expect(cancelWords(IN_BOOK, SHOWN_EARLY)).toEqual(["cancel.stays", "cancel.uses"]);
  });
});

describe("the card of the coming address", () => {
  test("tells what the service refused by the owner's names of the fields", () => {
    const words = shown(REFUSED);
    expect(words).toMatch(/Phone: .*Neighborhood: /);
    expect(words).toContain("Try later");
    expect(words).not.toMatch(/area_level3|phone:/);
  });

  test("tells what it refused in a message alone beside the field that it speaks of", () => {
    const refusal = { ...REFUSED.refusal!, message: "El teléfono no es válido", fields: null };
    expect(shown({ ...REFUSED, refusal })).toMatch(/Phone: .*no es válido/);
  });

  test("offers to add it again only where it was not added, and nobody is adding it", () => {
    expect(shown(MAKING)).not.toContain("Add it again");
    expect(shown(REFUSED)).toContain("Add it again");
    expect(shown({ ...MAKING, asks: "missing" })).toContain("Add it again");
  });

  test("offers no second press while the first one waits for the service", () => {
    expect(shown(IN_BOOK)).toContain("Move now");
    const waiting = shown({ ...IN_BOOK, isPressed: true });
    expect(waiting).toContain("You pressed the button");
    expect(waiting).not.toContain("Move now");
  });

  test("says why a location that is paused or no origin cannot move, and offers no press that could only say so", () => {
    expect(shown(IN_BOOK)).not.toContain("For it to move");
    expect(shown(IN_BOOK, false)).toContain("For it to move");
    const disabled = /<button[^>]*aria-disabled="true"[^>]*>.*?<\/button>/g;
    const offered = markupOf(IN_BOOK, false).replace(disabled, "");
    expect(offered).not.toContain("Move now");
    expect(offered).toContain("Cancel the move");
  });

  test("offers no correction of an address that is another location's", () => {
    expect(shown(IN_BOOK)).toContain("Correct it in the address book");
    expect(shown({ ...IN_BOOK, asks: "taken" })).not.toContain("Correct it in the address book");
  });
});
