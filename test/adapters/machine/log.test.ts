import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";
import { scrubSecrets } from "../../../app/adapters/machine/log.ts";

const JWT = "eyJhbGciOiJIUzI1NiJ9.eyJkZXN0IjoiYSJ9.c2lnbmF0dXJl";

/** The log writes to standard output, so it is looked at from outside. */
function logged(fields: string, message = "said"): string {
  const script = `
    const { createLog } = await import(${JSON.stringify(join(import.meta.dirname, "../../../app/adapters/machine/log.ts"))});
    createLog("info").info(${fields}, ${JSON.stringify(message)});`;
  return spawnSync(process.execPath, ["--input-type=module", "--eval", script], { encoding: "utf8" }).stdout;
}

test("a field that holds a secret is redacted, wherever it stands", () => {
  const line = logged(
    `{ shop: "one", access_token: "S1", request: { clientSecret: "S2", headers: { authorization: "S3" } } }`,
  );
  expect(JSON.parse(line)).toMatchObject({
    shop: "one",
    access_token: "[redacted]",
    request: { clientSecret: "[redacted]" },
  });
  expect(line).not.toMatch(/S[123]/);
});

test("an error keeps what tells it apart and loses the tokens in its text", () => {
  const line = logged(
    `{ error: Object.assign(new Error("GET https://a/b?id_token=${JWT}&shop=one failed"), { kind: "timeout", requestId: "r-1" }) }`,
  );
  expect(JSON.parse(line).error).toMatchObject({
    kind: "timeout",
    requestId: "r-1",
    message: "GET https://a/b?id_token=[redacted]&shop=one failed",
  });
  expect(line).not.toContain(JWT);
});

test("a token on its own is known by its shape", () => {
  expect(scrubSecrets(`Bearer ${JWT} was refused`)).toBe("Bearer [redacted] was refused");
  expect(scrubSecrets("Bearer 0f3a9c77b1e24d58 was refused")).toBe("Bearer [redacted] was refused");
  expect(scrubSecrets("shpat_0123456789abcdef, shprt_0123456789abcdef")).toBe("[redacted], [redacted]");
  expect(scrubSecrets("the bearer of shop_names is fine")).toBe("the bearer of shop_names is fine");
});

test("what is said carries no token either: Shopify's package writes whole addresses there", () => {
  const line = logged("{}", `Rejected exit-iframe redirect to /app?id_token=${JWT}`);
  expect(JSON.parse(line).msg).toBe("Rejected exit-iframe redirect to /app?id_token=[redacted]");
});
