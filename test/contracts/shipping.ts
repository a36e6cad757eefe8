import { afterEach, beforeEach, describe } from "vitest";
import { bookContract } from "./shipping/book.ts";
import { listContract } from "./shipping/list.ts";
import type { StandIn } from "./shipping/stand-in.ts";
import { tokensContract } from "./shipping/tokens.ts";
import { verificationContract } from "./shipping/verification.ts";

/**
 * What both stand-ins of the shipping service make of its interface (docs/shipping-interface.md), by what stands on the wire: the one in
 * memory that the simulation and the tests of the rooms run on, and the one over HTTP. Where the interface states nothing, the battery
 * asks for nothing, or for any of the answers that a client must survive.
 */

/** `start` gives a stand-in of its own to each test: no templates, refresh tokens, and no limit of the rate. */
export function shippingContract(name: string, start: () => Promise<StandIn>): void {
  describe(`the contract of the shipping service's stand-in: ${name}`, () => {
    let standIn: StandIn;
    beforeEach(async () => {
      standIn = await start();
    });
    afterEach(() => standIn.close());

    const now = () => standIn;
    describe("tokens", () => tokensContract(now));
    describe("lists", () => listContract(now));
    describe("templates", () => bookContract(now));
    describe("verification", () => verificationContract(now));
  });
}
