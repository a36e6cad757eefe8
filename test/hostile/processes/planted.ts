// Loaded into the app's process (`node --import`). At SIGUSR2 it does what the file at PLANTED says, in the middle of the app: an error that
// nobody caught, or a leak, to see that the search finds it.
import { readFileSync } from "node:fs";

export interface Planted {
  /**
   * `reject`: nobody handles a rejection; `throw`: nobody catches an error; `print`: a line to standard output; `title`: the argv;
   * `report`: a diagnostic report of an error.
   */
  act: "reject" | "throw" | "print" | "title" | "report";
  text: string;
  /** What hangs on the error beside its message, as libraries do it. */
  beside?: Record<string, unknown>;
}

process.on("SIGUSR2", () => {
  const { act, text, beside = {} } = JSON.parse(readFileSync(process.env.PLANTED!, "utf8")) as Planted;
  const error = () => Object.assign(new Error(text, { cause: beside }), beside);
  if (act === "throw") throw error();
  if (act === "print") console.log(text);
  if (act === "title") process.title = text;
  if (act === "report") process.report.writeReport(new Error(text));
  if (act === "reject") void Promise.reject(error());
  // After what is logged of it.
  setImmediate(() => console.log(`planted: ${act}`));
});
