import { cached, keepCached } from "./cache.ts";

/**
 * A pure function that remembers its answers, for one that is asked the same of a thousand locations again and again. Answers are shared:
 * whoever gets one must not change it. `what`: the work's own word, by which the cache tells its answers from those of other work.
 */
export function rememberWork<A, R>(what: string, work: (given: A) => R): (given: A) => R {
  return (given) => {
    const key = `${what}\n${JSON.stringify(given)}`;
    const known = cached<R>(key);
    if (known) return known.value;
    const answer = work(given);
    keepCached(key, answer, 1);
    return answer;
  };
}
