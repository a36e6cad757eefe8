import { describe, expect, test } from "vitest";
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
