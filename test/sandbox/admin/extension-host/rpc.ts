// Two sides of a MessagePort that call each other's functions. Runs in the page and in the worker.

type Functions = { [name: string]: (...args: never[]) => unknown };

/** The other side's functions, each answering later. */
export type Remote<F> = {
  [K in keyof F]: F[K] extends (...args: infer A) => infer R ? (...args: A) => Promise<Awaited<R>> : never;
};

interface Message {
  id: number;
  method?: string;
  args?: unknown[];
  value?: unknown;
  error?: string;
}

export function talk<Theirs extends object>(port: MessagePort, ours: object): Remote<Theirs> {
  const waiting = new Map<number, { resolve: (value: unknown) => void; reject: (error: Error) => void }>();
  let last = 0;

  const answer = async ({ id, method, args = [] }: Message): Promise<void> => {
    try {
      const value = await (ours as Functions)[method!]!(...(args as never[]));
      port.postMessage({ id, value });
    } catch (error) {
      port.postMessage({ id, error: error instanceof Error ? error.message : String(error) });
    }
  };

  port.onmessage = ({ data }: MessageEvent<Message>) => {
    if (data.method !== undefined) return void answer(data);
    const caller = waiting.get(data.id);
    waiting.delete(data.id);
    if (data.error === undefined) caller?.resolve(data.value);
    else caller?.reject(new Error(data.error));
  };

  return new Proxy({} as Remote<Theirs>, {
    get:
      (_target, method: string) =>
      (...args: unknown[]) =>
        new Promise((resolve, reject) => {
          last += 1;
          waiting.set(last, { resolve, reject });
          port.postMessage({ id: last, method, args });
        }),
  });
}
