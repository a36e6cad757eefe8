/** Shares one run of the work among callers that come while it runs. */
export function singleFlight<I, O>(
  fly: (input: I) => Promise<O>,
  keyOf: (input: I) => string,
): (input: I) => Promise<O> {
  const flying = new Map<string, Promise<O>>();
  return (input) => {
    const key = keyOf(input);
    const flight = flying.get(key) ?? fly(input).finally(() => flying.delete(key));
    flying.set(key, flight);
    return flight;
  };
}
