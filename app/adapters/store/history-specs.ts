import type {
  ActivityRecord,
  FlowEventRecord,
  FlowOriginRecord,
  JobItemRecord,
  JobRecord,
  MoveRecord,
  ReceiptRecord,
} from "../../domain/records.ts";
import type { CheckedSpec } from "./table-spec.ts";

/** The tables of past events and one-time requests: a part of `TABLE_SPECS`. */
export const HISTORY_SPECS: {
  receipts: CheckedSpec<ReceiptRecord>;
  activity: CheckedSpec<ActivityRecord>;
  jobs: CheckedSpec<JobRecord>;
  jobItems: CheckedSpec<JobItemRecord>;
  moves: CheckedSpec<MoveRecord>;
  flowOrigins: CheckedSpec<FlowOriginRecord>;
  flowEvents: CheckedSpec<FlowEventRecord>;
} = {
  receipts: {
    model: "Receipt",
    keys: [["shop", "webhookId"]],
    fields: { shop: "text", webhookId: "text", receivedAtMs: "time" },
  },
  activity: {
    model: "Activity",
    keys: [["id"]],
    fields: {
      id: "text",
      shop: "text",
      atMs: "time",
      actor: "text",
      staffId: "text?",
      kind: "text",
      locationId: "text?",
      locationName: "text?",
      templateId: "text?",
      carrier: "text?",
      fields: "json",
      requestId: "text?",
      outcome: "text",
      detail: "text?",
      environment: "text",
    },
  },
  jobs: {
    model: "Job",
    keys: [["id"]],
    partialKeys: [{ key: ["shop"], field: "state", value: "running" }],
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
    columns: { workItemId: "targetId" },
    keys: [["jobId", "locationId"]],
    fields: {
      jobId: "text",
      shop: "text",
      locationId: "text",
      workItemId: "text?",
      since: "int",
      generation: "int",
      confirmed: "json?",
      stated: "json?",
      state: "text",
      detail: "text?",
    },
  },
  moves: {
    model: "Move",
    keys: [["shop", "locationId"]],
    fields: {
      shop: "text",
      locationId: "text",
      connectionId: "text",
      marker: "text",
      place: "json",
      hour: "text?",
      keepFormer: "boolean",
      state: "text",
      templateId: "text?",
      sent: "json?",
      answered: "json?",
      refusal: "json?",
      press: "text?",
      asks: "text?",
      formerTemplateId: "text?",
      formerDefault: "boolean",
      passedAtMs: "time?",
    },
  },
  flowOrigins: {
    model: "FlowOrigin",
    keys: [["shop", "locationId"]],
    fields: { shop: "text", locationId: "text", seen: "json" },
  },
  flowEvents: {
    model: "FlowEvent",
    keys: [["id"]],
    fields: {
      id: "text",
      shop: "text",
      number: "int",
      trigger: "text",
      locationId: "text?",
      fields: "json",
      atMs: "time",
    },
  },
};
