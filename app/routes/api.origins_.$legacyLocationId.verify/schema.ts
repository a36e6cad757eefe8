import { z } from "zod";
import { someCarrierNames } from "../../http/request-input.ts";

/** Whom the order page wants to ask. */
export const verifyForm = z.object({ carriers: someCarrierNames });

export type VerifyForm = z.infer<typeof verifyForm>;
