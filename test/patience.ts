/**
 * How long tests wait before they give up. A limit ends what hangs, and never judges how fast a machine is: what takes ten seconds on an idle
 * machine of today has room on one that is ten times slower or has ten other things to do.
 */

/** For one thing that is waited for: an answer, a text on a page, a process that is ready. */
export const STEP_MS = 180_000;
/** For a test that works in this process. */
export const TEST_MS = 300_000;
/** For a test, or a hook, that starts processes or browsers, one after another. */
export const LONG_TEST_MS = 900_000;
