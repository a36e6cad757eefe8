import type { Secret } from "../../domain/secret.ts";
import type { Table, Tables } from "../../ports.ts";

/** How each field of each record is kept, and which keys are unique. A test holds it against the Prisma models. */

type BaseKind<K, V> = [V] extends [Secret]
  ? "secret"
  : [V] extends [string]
    ? "text"
    : [V] extends [boolean]
      ? "boolean"
      : [V] extends [number]
        ? K extends `${string}Ms`
          ? "time"
          : "int"
        : "json";

/** A `?` marks what may be null. */
type KindOf<K, V> = null extends V ? `${BaseKind<K, NonNullable<V>>}?` : BaseKind<K, V>;

export type BaseFieldKind = "text" | "boolean" | "int" | "time" | "json" | "secret";
export type FieldKind = BaseFieldKind | `${BaseFieldKind}?`;

export interface TableSpec<R = Record<string, unknown>> {
  /** The Prisma model, which is the SQL table too. */
  model: string;
  /** The unique keys; the first is the primary one. */
  keys: readonly (readonly (keyof R & string)[])[];
  fields: Readonly<Record<keyof R & string, FieldKind>>;
}

type RecordOf<T> = T extends Table<infer R> ? R : never;

type CheckedSpec<R> = TableSpec<R> & { fields: { readonly [K in keyof R & string]-?: KindOf<K, R[K]> } };

export type TableName = keyof Tables;

export function baseKind(kind: FieldKind): BaseFieldKind {
  return kind.replace("?", "") as BaseFieldKind;
}

export function isNullable(kind: FieldKind): boolean {
  return kind.endsWith("?");
}

export const TABLE_SPECS: { readonly [N in TableName]: CheckedSpec<RecordOf<Tables[N]>> } = {
  shops: {
    model: "Shop",
    keys: [["shop"]],
    fields: {
      shop: "text",
      displayName: "text?",
      timeZone: "text",
      language: "text?",
      policies: "json",
      contact: "json",
      revision: "int",
      guideDismissedAtMs: "time?",
      reconciledAtMs: "time?",
      installedAtMs: "time",
      uninstalledAtMs: "time?",
    },
  },
  connections: {
    model: "Connection",
    keys: [["id"], ["shop", "environment", "clientId"]],
    fields: {
      id: "text",
      shop: "text",
      environment: "text",
      clientId: "text",
      clientSecret: "secret?",
      scope: "text?",
      redirectUri: "text?",
      version: "int",
      state: "text",
      current: "boolean",
      accessToken: "secret?",
      refreshToken: "secret?",
      tokenScope: "text?",
      tokenObtainedAtMs: "time?",
      tokenExpiresAtMs: "time?",
      failures: "int",
      backoffUntilMs: "time?",
      lastFaultKind: "text?",
      lastFaultAtMs: "time?",
      lastFaultMessage: "text?",
      lastSuccessAtMs: "time?",
      bookReadAtMs: "time?",
      createdAtMs: "time",
    },
  },
  locations: {
    model: "Location",
    keys: [["shop", "locationId"]],
    fields: {
      shop: "text",
      locationId: "text",
      name: "text",
      isActive: "boolean",
      isFulfillmentService: "boolean",
      fulfillsOnlineOrders: "boolean",
      address: "json",
      deletedAtMs: "time?",
      readAtMs: "time",
    },
  },
  details: {
    model: "Details",
    keys: [["shop", "locationId"]],
    fields: {
      shop: "text",
      locationId: "text",
      contact: "json",
      split: "json?",
      inclusion: "text",
      paused: "boolean",
      adoption: "text",
      confirmedAtMs: "time?",
      revision: "int",
      updatedAtMs: "time",
    },
  },
  links: {
    model: "Link",
    keys: [["id"], ["connectionId", "locationId"], ["environment", "templateId"]],
    fields: {
      id: "text",
      shop: "text",
      connectionId: "text",
      environment: "text",
      locationId: "text",
      templateId: "text",
      how: "text",
      sent: "json?",
      answered: "json?",
      differences: "json",
      choices: "json",
      accepted: "json",
      sendWhole: "boolean",
      missingSinceMs: "time?",
      syncedAtMs: "time?",
      checkedAtMs: "time?",
    },
  },
  templates: {
    model: "Template",
    keys: [["connectionId", "templateId"]],
    fields: { shop: "text", connectionId: "text", templateId: "text", template: "json", readAtMs: "time" },
  },
  verifications: {
    model: "Verification",
    keys: [["connectionId", "templateId", "carrier"]],
    fields: {
      shop: "text",
      connectionId: "text",
      templateId: "text",
      carrier: "text",
      outcome: "text",
      status: "text?",
      updateState: "text?",
      verificationId: "text?",
      baseline: "json?",
      askedAtMs: "time?",
      changedAtMs: "time",
      checkedAtMs: "time?",
      polls: "int",
      nextPollAtMs: "time?",
      addressKey: "text?",
      timeline: "json",
    },
  },
  targets: {
    model: "Target",
    keys: [["id"], ["shop", "kind", "key"]],
    fields: {
      id: "text",
      shop: "text",
      kind: "text",
      key: "text",
      wanted: "int",
      seen: "int",
      dueAtMs: "time",
      leaseOwner: "text?",
      leaseUntilMs: "time?",
      fence: "int",
      failures: "int",
      state: "text",
      reason: "json?",
      createdAtMs: "time",
      updatedAtMs: "time",
    },
  },
  intents: {
    model: "Intent",
    keys: [["id"], ["targetId"]],
    fields: {
      id: "text",
      shop: "text",
      connectionId: "text",
      connectionVersion: "int",
      targetId: "text",
      operation: "text",
      templateId: "text?",
      locationId: "text?",
      marker: "text?",
      payload: "json?",
      committedAtMs: "time",
      quarantineUntilMs: "time",
    },
  },
  receipts: {
    model: "Receipt",
    keys: [["shop", "webhookId"]],
    fields: { shop: "text", webhookId: "text", topic: "text", receivedAtMs: "time" },
  },
  drafts: {
    model: "Draft",
    keys: [["id"]],
    fields: {
      id: "text",
      shop: "text",
      connectionId: "text",
      operation: "text",
      templateId: "text?",
      draft: "json?",
      base: "json?",
      createdAtMs: "time",
      endedAtMs: "time?",
      outcome: "json?",
    },
  },
  activity: {
    model: "Activity",
    keys: [["id"]],
    fields: {
      id: "text",
      shop: "text",
      atMs: "time",
      actor: "text",
      kind: "text",
      locationId: "text?",
      locationName: "text?",
      templateId: "text?",
      carrier: "text?",
      fields: "json",
      requestId: "text?",
      outcome: "text",
      detail: "text?",
    },
  },
  jobs: {
    model: "Job",
    keys: [["id"]],
    fields: {
      id: "text",
      shop: "text",
      kind: "text",
      carriers: "json",
      state: "text",
      createdAtMs: "time",
      endedAtMs: "time?",
    },
  },
  jobItems: {
    model: "JobItem",
    keys: [["jobId", "locationId"]],
    fields: {
      jobId: "text",
      shop: "text",
      locationId: "text",
      targetId: "text?",
      generation: "int",
      state: "text",
      detail: "text?",
    },
  },
};
