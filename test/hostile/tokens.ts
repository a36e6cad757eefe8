import type { Stage } from "./stage.ts";

/** Session tokens that nobody may come in with. */
export function badTokens({ token, theirs, sandbox }: Stage): Record<string, string> {
  const good = token();
  const [head, body, signature] = good.split(".") as [string, string, string];
  const none = Buffer.from(JSON.stringify({ alg: "none" })).toString("base64url");
  const claims = JSON.parse(Buffer.from(body, "base64url").toString()) as object;
  const forged = Buffer.from(JSON.stringify({ ...claims, dest: `https://${theirs.shop}` })).toString("base64url");
  return {
    garbage: "x",
    "without a signature": `${head}.${body}.`,
    "with no algorithm": `${none}.${body}.`,
    "of the victim, signed by nobody": `${head}.${forged}.${signature}`,
    expired: token({ lifetimeSeconds: -120 }),
    "of another app": token({ claims: { aud: `${sandbox.apiKey}-another` } }),
    "of another issuer": token({ claims: { iss: `https://${theirs.shop}/admin` } }),
    "for the victim, of the intruder's issuer": token({ claims: { dest: `https://${theirs.shop}` } }),
    "for no store": token({ claims: { dest: "https://evil.example", iss: "https://evil.example/admin" } }),
  };
}
