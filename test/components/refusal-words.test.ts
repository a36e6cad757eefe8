import { beforeAll, describe, expect, test } from "vitest";
import { saidByService } from "../../app/i18n/entry-words.ts";
import { loadLanguage } from "../../app/i18n/i18n.ts";
import { wordsOf } from "../../app/i18n/words.ts";
import { readProblem } from "../../app/adapters/shipping/wire/problem.ts";
import { wordsBeyondFields } from "../../app/views/refusal-words.ts";

/** What a refusal says is read once, in an owner's words: beside its field, or else above the form. */

const FORM = ["phone", "street1"];

function beyond(body: object): string | null {
  const answer = { status: 422, body: JSON.stringify(body), requestId: "request-1", clean: (text: string) => text };
  const { fields, serviceMessage } = readProblem(answer);
  return wordsBeyondFields(serviceMessage, { fields, shown: FORM });
}

describe("above the form stands", () => {
  test("nothing of what stands beside the fields", () => {
    expect(
      beyond({ errors: { phone: ["debe tener 10 dígitos"], street1: ["es demasiado largo", "no existe"] } }),
    ).toBeNull();
  });

  test("what is said of all of it", () => {
    const body = { message: "Tu plan no permite más direcciones", errors: { phone: ["debe tener 10 dígitos"] } };
    expect(beyond(body)).toBe("Tu plan no permite más direcciones");
  });

  test("what is said of something that the form does not show", () => {
    const body = { errors: { phone: ["debe tener 10 dígitos"], quota: ["se agotó"], street1: ["no existe"] } };
    expect(beyond(body)).toBe("quota: se agotó");
  });
});

test("no message is none", () => {
  expect(wordsBeyondFields(null, { fields: { phone: ["blank"] }, shown: FORM })).toBeNull();
});

describe("a quotation", () => {
  beforeAll(() => loadLanguage("es-MX"));
  const said = (words: string) => saidByService(wordsOf("es-MX"), words);

  test.each([
    ["phone no es un teléfono válido", "«Teléfono: no es un teléfono válido»"],
    ["street_number: no puede estar vacío", "«Número exterior: no puede estar vacío»"],
    ["la cuenta está llena", "«la cuenta está llena»"],
  ])("of %s is in an owner's words", (words, quoted) => expect(said(words)).toContain(quoted));

  test("of a code is none", () => expect(said("INVALID_ADDRESS_TEMPLATE")).toBeNull());
});
