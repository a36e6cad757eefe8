import type { Network } from "../../../app/adapters/shipping/network.ts";

/** What a stand-in of the shipping service gives its battery. */
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
