import { describe, expect, test } from "vitest";
import { lengthIn, serviceWordIn } from "../../../app/domain/verification/service-words.ts";

describe("what the service says of a field", () => {
  test.each([
    ["can't be blank", "blank"],
    ["no puede estar en blanco", "blank"],
    ["es obligatorio", "blank"],
    ["is too long (maximum is 35 characters)", "too_long"],
    ["es demasiado largo (máximo 25 caracteres)", "too_long"],
    ["is too short (minimum is 3 characters)", "too_short"],
    ["has already been taken", "taken"],
    ["ya está en uso", "taken"],
    ["is invalid", "invalid"],
    ["no es válido", "invalid"],
    ["formato inválido", "invalid"],
    ["INVALID_ZIP_FOR_CARRIER", null],
    ["la colonia no corresponde al código postal", null],
    ["", null],
  ])("%s", (message, expected) => {
    expect(serviceWordIn(message)).toBe(expected);
  });

  test("a length is told as it was said", () => {
    expect(lengthIn("es demasiado largo (máximo 25 caracteres)")).toBe(25);
    expect(lengthIn("is too long")).toBeNull();
  });
});
