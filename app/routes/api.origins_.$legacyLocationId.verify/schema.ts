import * as z from "zod";
import { someCarrierNames } from "../../http/request-input.ts";

/** The carriers that the order page asks. */
export const verifyForm = z.object({ carriers: someCarrierNames });

export type VerifyForm = z.infer<typeof verifyForm>;
