import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readProblem } from "../../../../app/adapters/shipping/wire/problem.ts";
import { redactorOf } from "../../../../app/adapters/shipping/wire/redact.ts";

const read = (body: unknown, status = 422) =>
  readProblem({
    status,
    body: typeof body === "string" ? body : JSON.stringify(body),
    requestId: "r",
    clean: redactorOf([]),
  });

describe("every shape of a refusal", () => {
  const phone = { phone: ["no es válido"] };
  const byField: [string, unknown][] = [
    ["errors by template and field", { errors: { address_template: phone } }],
    ["errors by template, address and field", { errors: { address_template: { address_attributes: phone } } }],
    ["errors by address and field", { errors: { address_attributes: phone } }],
    ["errors by field", { errors: phone }],
    ["dotted names", { errors: { "address_attributes.phone": ["no es válido"] } }],
    ["bracketed names", { errors: { "address_template[address_attributes][phone]": ["no es válido"] } }],
    ["fields without a wrapper", phone],
    ["one text instead of a list", { errors: { phone: "no es válido" } }],
    ["a list of field and message", { errors: [{ field: "phone", message: "no es válido" }] }],
    ["messages as objects", { errors: { phone: [{ message: "no es válido" }] } }],
  ];
  test.each(byField)("%s", (_name, body) => {
    expect(read(body)).toEqual({
      fields: phone,
      message: null,
      serviceMessage: "phone: no es válido",
      code: null,
      status: 422,
      requestId: "r",
    });
  });

  const general: [string, unknown, { message: string | null; code: string | null; serviceMessage: string | null }][] = [
    ["errors as text", { errors: "Falta el teléfono" }, says("Falta el teléfono")],
    ["errors as a list", { errors: ["Falta el teléfono"] }, says("Falta el teléfono")],
    ["a message", { message: "Dirección no encontrada" }, says("Dirección no encontrada")],
    ["a nested message", { error: { message: "Mal" } }, says("Mal")],
    ["words under error", { error: "Not Found" }, says("Not Found")],
    ["errors on base", { errors: { base: ["Mal"] } }, says("Mal")],
    ["plain text", "Too many requests", says("Too many requests")],
    ["a JSON string", '"Mal"', says("Mal")],
    [
      "a code",
      { error: "CARRIER_VERIFICATION_NOT_ENABLED" },
      { message: null, code: "CARRIER_VERIFICATION_NOT_ENABLED", serviceMessage: "CARRIER_VERIFICATION_NOT_ENABLED" },
    ],
    [
      "a token error",
      { error: "invalid_client", error_description: "Falló la autenticación." },
      { message: "Falló la autenticación.", code: "invalid_client", serviceMessage: "Falló la autenticación." },
    ],
    ["success false", { success: false, message: null }, silence()],
    ["HTML", "<html><h1>403 Forbidden</h1></html>", silence()],
    ["nothing", "", silence()],
    ["null", "null", silence()],
  ];
  test.each(general)("%s", (_name, body, expected) => {
    expect(read(body)).toEqual({ fields: {}, status: 422, requestId: "r", ...expected });
  });

  function says(message: string) {
    return { message, code: null, serviceMessage: message };
  }
  function silence() {
    return { message: null, code: null, serviceMessage: null };
  }
});

test("the two bodies that the document shows", () => {
  expect(read({ message: "Address not found" }, 404)).toMatchObject({ message: "Address not found", code: null });
  expect(read({ error: "invalid_client", error_description: "Unknown client" }, 401)).toMatchObject({
    code: "invalid_client",
    message: "Unknown client",
  });
});

test("several fields and a general message are all kept", () => {
  const problem = read({ message: "Revisa", errors: { name: ["a", "b"], email: ["c"] } });
  expect(problem.fields).toEqual({ name: ["a", "b"], email: ["c"] });
  expect(problem.serviceMessage).toBe("Revisa · name: a, b · email: c");
});

test("no JSON makes it throw, and what it says stays small", () => {
  fc.assert(
    fc.property(fc.oneof(fc.json({ maxDepth: 8 }), fc.string()), (body) => {
      const problem = read(body, 400);
      expect(JSON.stringify(problem).length).toBeLessThan(200_000);
    }),
    { numRuns: 1_000 },
  );
  expect(read("[".repeat(200_000) + "]".repeat(200_000)).message).toBeNull();
  expect(JSON.stringify(read({ errors: Array.from({ length: 10_000 }, () => "x".repeat(50)) })).length).toBeLessThan(
    60_000,
  );
});

test("a secret that the service repeats is taken out before anything is cut, and a short one garbles nothing", () => {
  const secret = "s3cr3t-".repeat(6);
  const body = JSON.stringify({
    message: `${"x".repeat(480)}${secret}`,
    errors: { phone: [`${secret}!`] },
    error: secret,
  });
  const problem = readProblem({ status: 400, body, requestId: "r", clean: redactorOf([secret, "e"]) });
  expect(JSON.stringify(problem)).not.toContain("s3cr3t");
  expect(problem.fields).toEqual({ phone: ["[redacted]!"] });
});
