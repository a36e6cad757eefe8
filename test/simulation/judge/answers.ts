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
      if (operation === "get" && (status === 404 || (status === 200 && readableIn(body).includes(templateId))))
        tell(reader, templateId, sentAtMs);
      // Of a probe, which asks for one row, nothing is kept.
      if (operation !== "list" || status !== 200 || request.perPage === 1) return;
      for (const id of readableIn(body)) tell(reader, id, sentAtMs - listsBehindMs);
    },
    lastAnswered: (shop) => last.get(shop) ?? null,
    lastTold: (shop, templateId) => told.get(`${shop} ${templateId}`) ?? 0,
  };
}

/** The templates that an answer tells of. A proxy's page says 200, too, and a row without its address does not tell what is there. */
function readableIn(body: string): string[] {
  const ids: string[] = [];
  const note = (_key: string, value: unknown): unknown => {
    const { id, address } = (value ?? {}) as { id?: unknown; address?: unknown };
    if (typeof id === "string" && typeof address === "object" && address !== null) ids.push(id);
    return value;
  };
  try {
    JSON.parse(body, note);
  } catch {
    return [];
  }
  return ids;
}
