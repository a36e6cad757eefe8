import { inspect } from "node:util";
import { expect, test } from "vitest";
import { isAppError } from "../../../app/domain/errors.ts";
import type { FaultRule } from "../../sandbox/shipping/options.ts";
import { NAMES, NINE } from "./support/operations.ts";
import { INTERACTIVE, startWorld } from "./support/world.ts";

/** A secret in every field that holds one: none of them in logs, errors, problems or URLs, whatever happens. */

const SECRET = "planted/secret+5f1e&é=";

/** The ways in which a service may repeat it. */
const FORMS: ((secret: string) => string)[] = [
  (secret) => secret,
  encodeURIComponent,
  (secret) => new URLSearchParams({ client_secret: secret }).toString().replace("client_secret=", ""),
  (secret) => JSON.stringify(secret).slice(1, -1).replaceAll("/", "\\/"),
  (secret) => Buffer.from(secret).toString("base64"),
];
/** As a name and a password go together. */
const together = (secret: string) => Buffer.from(`client:${secret}`).toString("base64");

test("a refresh token is taken out of words about requests that do not carry it", async () => {
  const world = await startWorld({ standIn: { refreshTokens: true } });
  const ref = world.connect(1);
  await world.service.account(ref).listPage({ ...INTERACTIVE, page: 1 });
  const { refreshToken } = world.tokens.rows.get(ref.id)!.token!;
  const message = `no: ${FORMS.map((form) => form(refreshToken!)).join(" ")}`;
  world.standIn.faults.set([{ kind: "error-before", operations: ["introspect"], status: 422, message }]);
  const error: unknown = await world.service.introspect(ref, INTERACTIVE).catch((thrown: unknown) => thrown);
  const said = isAppError(error) ? error.serviceMessage : null;
  expect(said).toContain("[redacted]");
  expect(FORMS.map((form) => form(refreshToken!)).filter((form) => said!.includes(form))).toEqual([]);
  await world.stop();
});

test("no secret reaches a log, an error, a problem or a URL", async () => {
  const clients = NAMES.map(
    (_, index) => ({ environment: "test", clientId: `test-client-${index + 1}`, clientSecret: SECRET }) as const,
  );
  const world = await startWorld({ timeouts: { totalMs: 1_000 }, standIn: { clients, refreshTokens: true } });
  const refs = NAMES.map((_, index) => world.connect(index + 1, { clientSecret: SECRET }));
  await Promise.all(refs.map((ref) => world.service.account(ref).listPage({ ...INTERACTIVE, page: 1 })));
  const issued = refs.map((ref) => world.tokens.rows.get(ref.id)!.token!);
  // The service repeats to each client all that is its own.
  const faults = refs.flatMap(({ clientId }, index): FaultRule[] => {
    const { accessToken, refreshToken } = issued[index]!;
    const message = `no: ${[...FORMS, together].flatMap((form) => [SECRET, accessToken, refreshToken!].map(form)).join(" ")}`;
    return [
      { kind: "invalid", operations: ["create"], clientId, message, shape: "message", status: 422 },
      { kind: "invalid", operations: ["update"], clientId, message, shape: "errors-text", status: 400 },
      {
        kind: "invalid",
        operations: ["token"],
        clientId,
        message: `no: ${[...FORMS, together].map((form) => form(SECRET)).join(" ")}`,
        shape: "message",
        status: 400,
      },
    ];
  });
  world.standIn.faults.set([
    ...faults,
    { kind: "html", operations: ["get"], status: 403 },
    { kind: "reset", operations: ["delete"] },
    { kind: "hang", operations: ["verify"] },
    { kind: "unreadable-json", operations: ["list"] },
    { kind: "invalid-client", operations: ["introspect", "revoke"] },
  ]);
  const seen: unknown[] = [];
  await Promise.all(
    refs.map(async (ref, index) => {
      const call = NINE[NAMES[index]!](world.service, {
        ref,
        credentials: world.tokens.rows.get(ref.id)!.credentials!,
      });
      await call.then(
        (value) => seen.push(value),
        (error: unknown) => seen.push(error, isAppError(error) && error.serviceMessage),
      );
    }),
  );
  const urls = world.standIn.requests().map(({ url }) => url);
  const text = [...seen, ...world.log.lines, urls]
    .map((value) => inspect(value, { depth: 10, showHidden: true, maxStringLength: null }))
    .join("\n");
  expect(text).toContain("[redacted]");
  expect(world.standIn.requests().some(({ body }) => new URLSearchParams(body).get("client_secret") === SECRET)).toBe(
    true,
  );
  const secrets = [SECRET, ...issued.flatMap(({ accessToken, refreshToken }) => [accessToken, refreshToken!])];
  const forms = secrets.flatMap((secret) => [...FORMS.map((form) => form(secret)), together(secret).slice(12, -4)]);
  expect(forms.filter((form) => text.includes(form))).toEqual([]);
  await world.stop();
});
