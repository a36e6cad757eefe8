import type { Network, WireAnswer } from "../../app/adapters/shipping/network.ts";

/** The network, with what the service really answered kept beside it: the adapter reads an answer for what it needs, a question for more. */
export interface Recorder {
  network: Network;
  /** The answers since the last `begin`, oldest first. */
  begin(): void;
  answers(): readonly WireAnswer[];
  /** The names of headers that any answer had. */
  headerNames(): ReadonlySet<string>;
  /** The first 429, if one came. */
  tooMany(): WireAnswer | null;
  calls(): number;
}

export function recordAnswers(network: Network): Recorder {
  const names = new Set<string>();
  let answers: WireAnswer[] = [];
  let tooMany: WireAnswer | null = null;
  let calls = 0;
  return {
    network: {
      offers: (environment) => network.offers(environment),
      exchange(exchange) {
        calls += 1;
        const underWay = network.exchange(exchange);
        const answer = underWay.answer.then((came) => {
          answers.push(came);
          for (const name of Object.keys(came.headers)) names.add(name);
          if (came.status === 429) tooMany ??= came;
          return came;
        });
        return { ...underWay, answer };
      },
      close: () => network.close(),
    },
    begin: () => void (answers = []),
    answers: () => answers,
    headerNames: () => names,
    tooMany: () => tooMany,
    calls: () => calls,
  };
}
