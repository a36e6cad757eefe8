import type { ConnectionRef, ShippingAccount } from "../ports.ts";
import { noteSuccess } from "./connection-gate.ts";
import type { Run } from "./run.ts";

/** The account as a run may read it; writes go through `writeOnce`. Any answer says that the connection is well. */
export interface ReadableAccount {
  listAll(): ReturnType<ShippingAccount["listAll"]>;
  get(templateId: string): ReturnType<ShippingAccount["get"]>;
  verifyByCarriers(templateId: string, carriers: string[]): ReturnType<ShippingAccount["verifyByCarriers"]>;
}

export function readableAccount(run: Run, ref: ConnectionRef): ReadableAccount {
  const account = run.services.shipping.account(ref);
  const options = { priority: run.priority, signal: run.signal };
  const answered = async <T>(call: Promise<T>): Promise<T> => {
    const answer = await call;
    await noteSuccess(run, ref);
    return answer;
  };
  return {
    listAll: () => answered(account.listAll(options)),
    get: (templateId) => answered(account.get(templateId, options)),
    verifyByCarriers: (templateId, carriers) => answered(account.verifyByCarriers(templateId, carriers, options)),
  };
}
