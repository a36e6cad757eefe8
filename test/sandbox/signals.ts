/** Resolves at Ctrl-C or when the process is asked to end; a second Ctrl-C ends it at once. */
export function untilSignal(): Promise<void> {
  return new Promise((resolve) => {
    const onSignal = (): void => {
      process.once("SIGINT", () => process.exit(130));
      resolve();
    };
    process.once("SIGINT", onSignal);
    process.once("SIGTERM", onSignal);
  });
}
