import { AppError } from "../../../app/domain/errors.ts";
import type { ConnectionRef, ShippingAccount, ShippingService, WriteOptions } from "../../../app/ports.ts";
import { throughLife } from "./sim-process.ts";
import type { Life } from "./sim-process.ts";

/** A process that has stopped before it asks for a template, and is told when it has asked, and when it has read the answer. */
export interface Starved {
  asked(): void;
  heard(): void;
}

/** So long after an answer a process that is awake has kept what it says. */
const KEPT_AFTER_MS = 1_000;

/** A service that several processes share: what a dead process was about to announce is not sent. */
export function shippingThroughLife(
  life: Life,
  shipping: ShippingService,
  {
    starve,
    unheard,
  }: {
    starve: (ref: ConnectionRef, templateId: string) => Starved | null;
    /** What a GET showed has come to the process, which may be stopped. Gives what to call once it has read that. */
    unheard: (ref: ConnectionRef, templateId: string) => () => void;
  },
): ShippingService {
  return {
    ...shipping,
    account(ref) {
      const account = shipping.account(ref);
      const get: ShippingAccount["get"] = (templateId, options) => {
        const starved = starve(ref, templateId);
        let read = () => {};
        const heard = life.call(async () => {
          const answer = account.get(templateId, options);
          starved?.asked();
          const found = await answer;
          // It may be stopped, or stop right here, and whoever runs in its place knows nothing of it.
          read = unheard(ref, templateId);
          return found;
        });
        void heard.then(
          () => read(),
          () => undefined,
        );
        // It may freeze again, and die so, before it has written anything down.
        return heard.finally(() => starved && life.clock.after(KEPT_AFTER_MS, () => starved.heard()));
      };
      return { ...accountThroughLife(life, account), get };
    },
    obtainToken: (credentials, options) => life.call(() => shipping.obtainToken(credentials, options)),
  };
}

function accountThroughLife(life: Life, account: ShippingAccount): ShippingAccount {
  // A frozen process takes up its slot only when it thaws. A process that died with a slot in hand gives the slot back.
  const orDies = <T>(work: () => Promise<T>): Promise<T> =>
    Promise.race([
      life.awake().then(work),
      life.death.then(() => {
        throw new AppError({ kind: "cancelled", message: "the process died", effect: "none" });
      }),
    ]);
  const mortal = <O extends WriteOptions>(options: O): O => ({
    ...options,
    beforeSend: () => orDies(() => options.beforeSend()),
  });
  return throughLife(life, {
    ...account,
    create: (draft, options) => account.create(draft, mortal(options)),
    update: (templateId, patch, options) => account.update(templateId, patch, mortal(options)),
    delete: (templateId, options) =>
      account.delete(templateId, {
        ...mortal(options),
        whenRead: (template) => orDies(() => options.whenRead(template)),
      }),
  });
}
