import { expect, test } from "vitest";
import { carrierNames, someCarrierNames } from "../../app/http/request-input.ts";

test("carriers come out as the service spells them, each once, whoever sent them", () => {
  expect(carrierNames.parse([" FedEx", "fedex", "Paquet Express", "  "])).toEqual(["fedex", "paquetexpress"]);
  expect(carrierNames.parse([])).toEqual([]);
  expect(someCarrierNames.safeParse(["  "]).success).toBe(false);
  expect(someCarrierNames.safeParse(Array.from({ length: 51 }, String)).success).toBe(false);
});
