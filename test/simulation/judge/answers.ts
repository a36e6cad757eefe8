import type { WireAnswer } from "../../../app/adapters/shipping/network.ts";
import type { ServiceRequest } from "../../fakes/shipping-network.ts";

/** What the service's answers let a shop know. */
export interface AnswersWatch {
  left(request: ServiceRequest): void;
  answered(request: ServiceRequest, answer: WireAnswer): void;
  /** When it last answered the shop well, about anything but tokens. */
  lastAnswered(shop: string): number | null;
  /** Of when the youngest answer is that told the shop of a template, or that it is not there: at least. */
  lastTold(shop: string, templateId: string): number;
}

export function createAnswersWatch({
  nowMs,
  listsBehindMs,
}: {
  nowMs: () => number;
  listsBehindMs: number;
}): AnswersWatch {
  const last = new Map<string, number>();
  const told = new Map<string, number>();
  const sent = new Map<ServiceRequest, number>();
  const tell = (shop: string, templateId: string, atMs: number) => {
    const key = `${shop} ${templateId}`;
    told.set(key, Math.max(atMs, told.get(key) ?? 0));
  };
  return {
    left: (request) => void sent.set(request, nowMs()),
    answered(request, { status, body }) {
      const { operation, reader, templateId } = request;
      const sentAtMs = sent.get(request) ?? 0;
      sent.delete(request);
      if (status < 300 && operation !== "token" && operation !== "revoke") last.set(reader, nowMs());
      // A page of a proxy says 200, too, and tells of no template.
      const isShown = status === 200 && body.includes(`"id":"${templateId}"`);
      if (operation === "get" && (isShown || status === 404)) tell(reader, templateId, sentAtMs);
      // Of a probe, which asks for one row, nothing is kept.
      if (operation !== "list" || status !== 200 || request.perPage === 1) return;
      for (const [, id] of body.matchAll(/"id":"([^"]+)"/g)) tell(reader, id!, sentAtMs - listsBehindMs);
    },
    lastAnswered: (shop) => last.get(shop) ?? null,
    lastTold: (shop, templateId) => told.get(`${shop} ${templateId}`) ?? 0,
  };
}
