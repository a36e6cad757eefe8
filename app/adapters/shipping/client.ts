import type { AddressTemplate, TemplateDraft, TemplatePatch } from "../../domain/records.ts";
import type {
  CallOptions,
  Credentials,
  DeleteOptions,
  Found,
  Introspection,
  TemplatePage,
  TokenOutcome,
  WriteOptions,
  Written,
} from "../../ports.ts";
import {
  askedEnd,
  fail,
  isSuccess,
  notTheService,
  notWritten,
  templateIn,
  unexpected,
  unreadable,
  writtenTemplate,
} from "./ends.ts";
import type { Answer, Bearer, Call, Reading } from "./call.ts";
import { problemOf, redactorFor, refused, type Transport } from "./transport.ts";
import type { Operation } from "./retry.ts";
import { isHtml } from "./wire/problem.ts";
import * as requests from "./wire/requests.ts";
import { createSpellings } from "./wire/spellings.ts";
import { readPage } from "./wire/template.ts";
import { readTokenRefusal, saysInvalidClient } from "./wire/token-refusal.ts";
import { readIntrospection, readToken } from "./wire/token.ts";

/**
 * The nine operations of the interface: what each one sends, and what its answers mean.
 *
 * Long, because all nine stand here, each with its ends.
 */

/** On whose behalf a call is made. Resource operations need `bearer`; token operations have none. */
export interface Caller {
  shop: string;
  environment: Call["environment"];
  clientId: string;
  connection?: Call["connection"];
  bearer?: Bearer;
}

export interface TokenHolder {
  credentials: Credentials;
  token: string;
  hint: "access_token" | "refresh_token";
}

/**
 * `connection`: whose credentials they are, if a connection holds them already. `held`: what it holds beside what the request carries, for the
 * service may repeat that, too. `beforeSend`: as for writes.
 */
export type TokenOptions = (CallOptions | WriteOptions) & {
  connection?: Call["connection"];
  held?: readonly (string | null)[];
};

export type Client = ReturnType<typeof createClient>;

export function createClient(transport: Transport) {
  const spellings = createSpellings();
  const known = <T extends { id: string | null }>({ environment }: Caller, row: T): T =>
    row.id === null ? row : { ...row, id: spellings.heard(environment, row.id) };
  const said = ({ environment }: Caller, templateId: string) => spellings.said(environment, templateId);

  async function send(operation: Operation, at: At): Promise<{ call: Call; answer: Answer }> {
    const { shop, environment, clientId, connection, bearer } = at.caller;
    const { priority, signal, once, sending } = at.options;
    const call: Call = {
      operation,
      request: at.request,
      shop,
      environment,
      clientId,
      connection,
      priority,
      signal,
      once,
      sending,
      bearer,
      reading: at.reading,
      beforeSend: "beforeSend" in at.options ? at.options.beforeSend : undefined,
      secrets: [...(at.secrets ?? []), ...heldIn(at.options)],
    };
    return { call, answer: await transport.send(call) };
  }

  return {
    /** docs/shipping-interface.md, 4.1: one page of at most 20, counted from 1. */
    async list(
      caller: Caller,
      { page, perPage, ...options }: CallOptions & { page: number; perPage?: number },
    ): Promise<TemplatePage> {
      const request = requests.listRequest(page, perPage);
      const { call, answer } = await send("list", { caller, options, request });
      if (!isSuccess(answer)) throw unexpected(call, answer);
      const read = readPage(answer.body) ?? fail(unreadable(call, answer));
      const { requestId } = answer;
      const quoted = (name: string | null) => name && redactorFor(call, answer)(name);
      const templates = read.templates.map((row) => known(caller, row));
      const rows = read.unreadable.map((row) => known(caller, { ...row, name: quoted(row.name), requestId }));
      return { ...read, templates, unreadable: rows, requestId };
    },

    /** docs/shipping-interface.md, 4.2. */
    async get(caller: Caller, templateId: string, options: CallOptions): Promise<Found<AddressTemplate>> {
      if (!canBeId(templateId)) return NEVER_SENT;
      const request = requests.getRequest(said(caller, templateId));
      const { call, answer } = await send("get", { caller, options, request });
      if (answer.status === 404) return { kind: "not_found", requestId: answer.requestId };
      if (!isSuccess(answer)) throw unexpected(call, answer);
      return { kind: "found", value: templateIn(call, answer, templateId), requestId: answer.requestId };
    },

    /**
     * docs/shipping-interface.md, 4.2, for an id that no template has. Only a service that takes the token answers that with 404, so the token
     * counts as good.
     */
    async getNone(caller: Caller, options: CallOptions): Promise<void> {
      const { call, answer } = await send("get", { caller, options, request: requests.getRequest(NO_TEMPLATE) });
      if (answer.status !== 404) throw unexpected(call, answer);
      const { token, sentAtMonotonicMs } = answer;
      if (token !== null) caller.bearer?.served(token, { request: NO_TEMPLATE, sentAtMonotonicMs });
    },

    /** docs/shipping-interface.md, 4.3. */
    async create(caller: Caller, draft: TemplateDraft, options: WriteOptions): Promise<Written<AddressTemplate>> {
      const { call, answer } = await send("create", { caller, options, request: requests.createRequest(draft) });
      // A create names no resource that could be missing, so this 404 is not the operation's answer.
      if (answer.status === 404) throw unexpected(call, answer);
      const written = writtenTemplate(call, answer, null);
      return written.kind === "written" ? { ...written, value: known(caller, written.value) } : written;
    },

    /** docs/shipping-interface.md, 4.4: fields that are not named keep their values. */
    async update(
      caller: Caller,
      { templateId, patch }: { templateId: string; patch: TemplatePatch },
      options: WriteOptions,
    ): Promise<Written<AddressTemplate>> {
      if (!canBeId(templateId)) return NEVER_SENT;
      const request = requests.updateRequest(said(caller, templateId), patch);
      const { call, answer } = await send("update", { caller, options, request });
      return writtenTemplate(call, answer, templateId);
    },

    /**
     * docs/shipping-interface.md, 4.5, after 4.2 on the same slot. A success may have any body except a page of HTML, which another server
     * sent.
     */
    async delete(caller: Caller, templateId: string, options: DeleteOptions): Promise<Written<null>> {
      if (!canBeId(templateId)) return NEVER_SENT;
      const request = requests.deleteRequest(said(caller, templateId));
      const reading: Reading = {
        operation: "get",
        request: requests.getRequest(said(caller, templateId)),
        holdsMs: DELETE_WITHIN_MS,
        async goesOn(read, asked) {
          if (read.status === 404) return false;
          if (!isSuccess(read)) throw unexpected(asked, read);
          await options.whenRead(templateIn(asked, read, templateId));
          return true;
        },
      };
      const { call, answer } = await send("delete", { caller, options, request, reading });
      if (!isSuccess(answer)) return notWritten(call, answer);
      if (isHtml(answer.body)) throw unreadable(call, answer);
      return { kind: "written", value: null, requestId: answer.requestId };
    },

    /** docs/shipping-interface.md, 4.6: answered at once. The carriers' verdicts appear in the template later. */
    async verifyByCarriers(
      caller: Caller,
      { templateId, carriers }: { templateId: string; carriers: string[] },
      options: CallOptions,
    ): Promise<Written<AddressTemplate | null>> {
      if (!canBeId(templateId)) return NEVER_SENT;
      const request = requests.verifyRequest(said(caller, templateId), carriers);
      const { call, answer } = await send("verify_by_carriers", { caller, options, request });
      return askedEnd(call, answer, templateId);
    },

    /**
     * docs/shipping-interface.md, 4.7: `refresh_token` when one is given, else `client_credentials`. Throws `edge_blocked` where another
     * server answered in the service's place, which tells nothing about the credentials.
     */
    async token(credentials: Credentials, refreshToken: string | null, options: TokenOptions): Promise<TokenOutcome> {
      const request = requests.tokenRequest(credentials, refreshToken);
      const secrets = [credentials.clientSecret, refreshToken ?? ""];
      const caller = { ...credentials, connection: options.connection };
      const { call, answer } = await send("token", { caller, options, request, secrets });
      const { requestId } = answer;
      if (isSuccess(answer)) {
        const token = readToken(answer.body, answer.startedAtMs) ?? fail(notTheService(call, answer));
        return { kind: "issued", token, requestId };
      }
      const refusal = readTokenRefusal(answer, credentials);
      if (refusal === "not_the_service") throw notTheService(call, answer);
      const problem = problemOf(call, answer);
      if (refusal === "refused") return { kind: "refused", problem };
      return { kind: "invalid_client", serviceMessage: problem.serviceMessage, retryAtMs: null, requestId };
    },

    /** docs/shipping-interface.md, 4.8: true when the service confirmed it. */
    async revoke({ credentials, token, hint }: TokenHolder, options: CallOptions): Promise<boolean> {
      const { clientId, clientSecret } = credentials;
      const request = requests.revokeRequest({ clientId, clientSecret, token, hint });
      const { answer } = await send("revoke", {
        caller: credentials,
        options,
        request,
        secrets: [clientSecret, token],
      });
      return isSuccess(answer);
    },

    /** docs/shipping-interface.md, 4.9. The document shows neither the required flags nor the errors; they are read as in 4.7. */
    async introspect(holder: TokenHolder, options: TokenOptions): Promise<Introspection> {
      const { credentials, token, hint } = holder;
      const { clientId, clientSecret } = credentials;
      const request = requests.introspectRequest({ clientId, clientSecret, token, hint });
      const secrets = [clientSecret, token];
      const caller = { ...credentials, connection: options.connection };
      const { call, answer } = await send("introspect", { caller, options, request, secrets });
      if (saysInvalidClient(answer)) throw refused(call, answer, { kind: "invalid_client", effect: "none" });
      if (answer.status === 401) throw notTheService(call, answer);
      if (!isSuccess(answer)) throw unexpected(call, answer);
      const read = readIntrospection(answer.body) ?? fail(unreadable(call, answer));
      return { ...read, requestId: answer.requestId };
    },
  };
}

function heldIn(options: At["options"]): string[] {
  return (options.held ?? []).filter((secret) => secret !== null);
}

interface At {
  caller: Caller;
  options: TokenOptions;
  request: requests.WireRequest;
  reading?: Reading;
  secrets?: string[];
}

/** A template may be deleted only if it was read at most this long before. */
const DELETE_WITHIN_MS = 10_000;

/** In the form of an id, in case the service looks at that first. */
const NO_TEMPLATE = "00000000-0000-0000-0000-000000000000";

const NEVER_SENT = { kind: "not_found", requestId: "", serviceMessage: null } as const;

/** No template can have such an id: an empty one would name the whole collection, and one with dots another path. */
function canBeId(templateId: string): boolean {
  return !/^\.*$/.test(templateId);
}
