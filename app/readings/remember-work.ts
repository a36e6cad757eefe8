import { cached, keepCached } from "./cache.ts";

/** Tells the answers of one work from those of another. */
let works = 0;

/**
 * A pure function that remembers its answers, for one that is asked the same of a thousand locations again and again. Answers are shared:
 * whoever gets one must not change it.
 */
export function rememberWork<A, R>(work: (given: A) => R): (given: A) => R {
  const number = (works += 1);
  return (given) => {
    const key = `work\n${number}\n${JSON.stringify(given)}`;
    const known = cached<R>(key);
    if (known) return known.value;
    const answer = work(given);
    keepCached(key, answer, 1);
    return answer;
  };
}
