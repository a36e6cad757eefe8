/**
 * A pure function that remembers its answers, for one that is asked the same of a thousand locations again and again; the answer asked
 * for longest ago makes room. Answers are shared: whoever gets one must not change it.
 */
export function remembered<A, R>(work: (given: A) => R, limit: number): (given: A) => R {
  const answers = new Map<string, R>();
  return (given) => {
    const key = JSON.stringify(given);
    const answer = answers.get(key) ?? work(given);
    // A map keeps its order: the first was asked for longest ago.
    answers.delete(key);
    answers.set(key, answer);
    if (answers.size > limit) answers.delete(answers.keys().next().value!);
    return answer;
  };
}
