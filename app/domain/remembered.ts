/**
 * A pure function that remembers its last answers, for one that is asked the same of a thousand locations with every page. Answers
 * are shared: whoever gets one must not change it.
 */
export function remembered<A, R>(work: (given: A) => R, limit: number): (given: A) => R {
  const answers = new Map<string, R>();
  return (given) => {
    const key = JSON.stringify(given);
    const known = answers.get(key);
    if (known !== undefined) return known;
    const answer = work(given);
    // A map keeps its order: the first is the oldest.
    if (answers.size >= limit) answers.delete(answers.keys().next().value!);
    answers.set(key, answer);
    return answer;
  };
}
