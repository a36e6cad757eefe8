import { isAppError } from "../domain/errors.ts";
import type { AppError, ServiceProblem } from "../domain/errors.ts";
import type { CallOptions, ConnectionRef, ShippingAccount } from "../ports.ts";
import { failsByItself, isItsOwn } from "./blame.ts";
import { noteSuccess, optionsOf } from "./breaker-state.ts";
import type { Run } from "./run.ts";

/**
 * The account as a run may read it; writes go through `writeOnce`. Any answer says that the connection is well, but for a 404: so answers
 * a router that has lost the service behind it.
 */
export interface ReadableAccount {
  listAll(): ReturnType<ShippingAccount["listAll"]>;
  get(templateId: string): ReturnType<ShippingAccount["get"]>;
  verifyByCarriers(templateId: string, carriers: string[]): ReturnType<ShippingAccount["verifyByCarriers"]>;
}

/** Templates on a page of the list (docs/shipping-interface.md, 4.1). */
const PAGE_SIZE = 20;

/** How many pages a book of so many templates has. */
export function pagesOf(templates: number): number {
  return Math.max(1, Math.ceil(templates / PAGE_SIZE));
}

export function readableAccount(run: Run, ref: ConnectionRef): ReadableAccount {
  const account = run.services.shipping.account(ref);
  const answered = async <T extends object>(call: Promise<T>): Promise<T> => {
    const answer = await call;
    if (!isNotFound(answer)) await noteSuccess(run, ref);
    return answer;
  };
  return {
    async listAll() {
      try {
        const listing = await answered(account.listAll(callOptions(run)));
        run.listCalls += pagesOf(listing.templates.length + listing.unreadable.length);
        return listing;
      } catch (error) {
        if (isAppError(error)) run.listCalls += error.calls;
        throw error;
      }
    },
    get(templateId) {
      run.lookedAt.push({ connectionId: ref.id, templateId });
      return answered(account.get(templateId, callOptions(run)));
    },
    async verifyByCarriers(templateId, carriers) {
      run.lookedAt.push({ connectionId: ref.id, templateId });
      try {
        return await answered(account.verifyByCarriers(templateId, carriers, callOptions(run)));
      } catch (error) {
        const problem = await refusedAlone(run, ref, error);
        if (problem) return { kind: "refused", problem };
        throw error;
      }
    },
  };
}

export function isNotFound(answer: object): boolean {
  return "kind" in answer && answer.kind === "not_found";
}

/** A probe, and what is known to fail, come again by themselves: they make one try. */
export function callOptions(run: Run): CallOptions {
  return { ...optionsOf(run), once: run.probing || failsByItself(run.item) };
}

/**
 * The service's own 403 to one thing that is asked of it is its refusal of that; null when it is not, or is one to everything. The first
 * one may have been the last of many to everything, which ended before anything else was asked: it counts as a failure of the work item's
 * own, which comes again in two seconds. Only a second one to the same operation is believed: where a reading was refused before, and is
 * answered by now, what refused it is over. The second one is not believed either where another run was refused everything at that time.
 */
export async function refusedAlone(run: Run, ref: ConnectionRef, error: unknown): Promise<ServiceProblem | null> {
  if (!isAppError(error) || error.kind !== "forbidden" || !metBefore(run, error)) return null;
  return (await isItsOwn(run, ref, error, { isFinal: true })) ? problemOf(error) : null;
}

function metBefore({ item: { failures, reason } }: Run, { kind, operation }: AppError): boolean {
  return failures > 0 && reason?.code === kind && reason.operation === operation;
}

function problemOf({ serviceMessage, status, requestId }: AppError): ServiceProblem {
  const said = { message: serviceMessage, serviceMessage, code: null };
  return { fields: {}, ...said, status: status ?? 403, requestId: requestId ?? "" };
}
