import { describe } from "vitest";
import type { Line } from "../../app/adapters/shipping/budget-core.ts";
import { budgetOnLineContract } from "./line/budget-on-line.ts";
import { placesContract } from "./line/places.ts";

/**
 * What the budget needs of its line, for every line: production's, which is Bottleneck's, and the one the simulation runs on. Whatever
 * is proved on the second holds for the first as far as this battery goes.
 */
export function lineContract(name: string, createLine: () => Line): void {
  describe(`the contract of the budget's line: ${name}`, () => {
    describe("places and order", () => placesContract(createLine));
    describe("a budget on it", () => budgetOnLineContract(createLine));
  });
}
