import type { WireAnswer } from "../../../app/adapters/shipping/network.ts";
import type { ServiceRequest } from "../../fakes/shipping-network.ts";

/** What the service's answers let a shop know. */
export interface AnswersWatch {
  answered(request: ServiceRequest, answer: WireAnswer): void;
  /** When it last answered the shop well, about anything but tokens. */
  lastAnswered(shop: string): number | null;
}

export function createAnswersWatch(nowMs: () => number): AnswersWatch {
  const last = new Map<string, number>();
  return {
    answered({ operation, reader }, { status }) {
      if (status < 300 && operation !== "token" && operation !== "revoke") last.set(reader, nowMs());
    },
    lastAnswered: (shop) => last.get(shop) ?? null,
  };
}
