import { AppProvider } from "@shopify/polaris";
import { renderToStaticMarkup } from "react-dom/server";
import { beforeAll, describe, expect, test } from "vitest";
import { VerificationCard } from "../../app/components/origin/verification-card.tsx";
import { ShellProvider } from "../../app/components/shell/shell-context.tsx";
import type { CarrierStanding } from "../../app/domain/verification/carrier-standing.ts";
import { addLanguage, languageInstance } from "../../app/i18n/i18n.ts";
import english from "../../app/i18n/locales/en.ts";

const HOUR_MS = 3_600_000;
const NOW_MS = Date.UTC(2026, 10, 20, 12);

beforeAll(() => {
  if (!languageInstance("en")) addLanguage("en", english);
});

const APPROVED: CarrierStanding = {
  ...{ carrier: "fedex", outcome: "accepted", stale: false, question: null, isUnclear: false, chosen: true },
  ...{ status: "approved", meaning: "accepted", changedAtMs: NOW_MS - 72 * HOUR_MS, checkedAtMs: NOW_MS },
  askedAtMs: NOW_MS - 72 * HOUR_MS,
};

/** The words of the card. */
function shown(standing: Partial<CarrierStanding>): string {
  const markup = renderToStaticMarkup(
    <AppProvider i18n={languageInstance("en")!.polaris}>
      <ShellProvider language="en" timeZone="UTC" nowMs={NOW_MS}>
        <VerificationCard
          standings={[{ ...APPROVED, ...standing }]}
          {...{ timeline: [], otherCarriers: [], disabledReason: null, busy: false }}
          onVerify={() => undefined}
        />
      </ShellProvider>
    </AppProvider>,
  );
  return markup.replace(/<[^>]*>/g, " ").replace(/\s+/g, " ");
}

test("a carrier that has refused the address can be asked again alone, and one that was asked cannot", () => {
  const refused = { outcome: "refused", meaning: "refused", status: "rejected" } as const;
  expect(shown(refused)).toContain("Ask again");
  expect(shown({ ...refused, question: "asked" })).not.toContain("Ask again");
  expect(shown({})).not.toContain("Ask again");
});

describe("beside an answer that stands", () => {
  test("it says when the carrier was asked again, and that its answer may still come", () => {
    const asked = { question: "asked", askedAtMs: NOW_MS - 2 * HOUR_MS } as const;
    for (const outcome of ["accepted", "refused", "seen"] as const)
      expect(shown({ ...asked, outcome })).toContain("Asked again 2 h ago · waiting for an answer");
  });

  test("it says that there was no answer once the two business days are over", () => {
    const asked = { question: "asked", askedAtMs: NOW_MS - 48 * HOUR_MS } as const;
    expect(shown(asked)).toContain("Asked again 2 days ago · no new answer");
  });

  test("it says where nobody knows whether the carrier was asked again", () => {
    const asked = { question: "asked", askedAtMs: NOW_MS - 2 * HOUR_MS, isUnclear: true } as const;
    expect(shown(asked)).toContain("never gave a clear answer");
    expect(shown(asked)).not.toMatch(/Asked again|waiting for|no new answer/);
  });

  test("it says nothing of a question once that has an end", () => {
    expect(shown({})).not.toMatch(/Asked again|waiting for|no new answer/);
  });
});

test("a carrier that has said nothing for long is told so, with a button to ask again", () => {
  const changedAtMs = NOW_MS - HOUR_MS;
  const silent = shown({ outcome: "no_answer", status: null, question: "asked", changedAtMs });
  expect(silent).toContain(languageInstance("en")!.i18n.t("origin:verification.noAnswer"));
  expect(silent).toContain(languageInstance("en")!.i18n.t("origin:verification.again"));
});
