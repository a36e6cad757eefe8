/**
 * How Node is given the built server, by whoever starts it. package.json and the Dockerfile say the same in their own way; a test holds them
 * to it.
 */

/** What `npm run build` makes, from the project's folder. */
export const SERVER = "build/process/server.js";

/** Why these: docs/decisions/0097-one-bundle-and-a-small-heap.md. */
export const SERVER_FLAGS = ["--max-semi-space-size=2", "--heap-growing-percent=10", "--v8-pool-size=1"];
