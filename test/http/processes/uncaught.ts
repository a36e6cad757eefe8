import { createLog } from "../../../app/adapters/machine/log.ts";
import { handleUncaught } from "../../../app/http/uncaught.ts";

// Leaves two rejections to nobody, says that it goes on, then throws where nobody catches.
handleUncaught({ log: createLog("info") });
void Promise.reject(new Error("no answer to Bearer abcdefgh12345678ijklmnop"));
void Promise.reject("a word, Bearer abcdefgh12345678ijklmnop");
setTimeout(() => {
  console.log("goes on");
  throw new Error("half-way with access_token=abcdefgh");
}, 50);
