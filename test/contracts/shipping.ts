import { afterEach, beforeEach, describe } from "vitest";
import type { Network } from "../../app/adapters/shipping/network.ts";
import { bookContract } from "./shipping/book.ts";
import { listContract } from "./shipping/list.ts";
import { tokensContract } from "./shipping/tokens.ts";
import { verificationContract } from "./shipping/verification.ts";

/**
 * What both stand-ins of the shipping service make of its interface (docs/shipping-interface.md), by what stands on the wire: the one in
 * memory that the simulation and the tests of the rooms run on, and the one over HTTP. Where the interface states nothing, the battery
 * asks for nothing, or for any of the answers that a client must survive.
 */

export interface StandIn {
  /** The app's true network, or the one that is not there. */
  network: Network;
  /** Two applications of the test environment, each with an address book of its own. */
  clients: readonly [Client, Client];
  /** A carrier that does not verify. */
  unsupported: string;
  /** A carrier says so about a template. */
  setVerdict(templateId: string, carrier: string, status: string): void;
  /** Every access token of the client ends, as after two hours. */
  endTokens(client: Client): void;
  /** Requests that have arrived for the client. */
  arrivals(client: Client): number;
  /** Lets time pass until the work has ended. */
  run<T>(work: Promise<T>): Promise<T>;
  close(): Promise<void>;
}

export interface Client {
  clientId: string;
  clientSecret: string;
}

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
