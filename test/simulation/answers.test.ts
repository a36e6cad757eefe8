import { expect, test } from "vitest";
import { addressTemplate, SHOP } from "../fakes/records.ts";
import type { ServiceRequest } from "../fakes/shipping/network.ts";
import { createAnswersWatch } from "./oracle/answers.ts";
import type { AnswersWatch } from "./oracle/answers.ts";

/** What the oracle takes for told by the service's answers. */

test("the oracle holds nobody to a list that never came to its end, or came to a stopped process", () => {
  let nowMs = 100_000;
  let isAwake = true;
  const service = createAnswersWatch({ nowMs: () => nowMs, listsBehindMs: 0, allAwake: () => isAwake });
  const hear = (page: number, { status = 200, total = "2" } = {}) => {
    const request = { operation: "list", reader: SHOP, templateId: "", page, perPage: 20 } as ServiceRequest;
    const body = {
      data: [addressTemplate({ id: `template-${page}` })],
      meta: { current_page: page, total_pages: "2", total_count: total },
    };
    service.left(request);
    service.answered(request, { status, body: JSON.stringify(body), headers: {}, cutShort: null });
    nowMs += 1_000;
  };
  hear(1);
  hear(2, { status: 500 });
  expect(service.lastTold(SHOP, "template-1")).toBe(0);
  hear(1);
  hear(2, { total: "3" });
  expect(service.lastTold(SHOP, "template-1")).toBe(0);
  hear(1);
  hear(2);
  expect(service.lastTold(SHOP, "template-1")).toBe(104_000);
  expect(service.lastTold(SHOP, "template-2")).toBe(105_000);
  // A page that failed is asked for first, and is not kept.
  hear(1);
  hear(2, { status: 500 });
  hear(2);
  expect(service.lastTold(SHOP, "template-2")).toBe(105_000);
  isAwake = false;
  hear(1);
  hear(2);
  expect(service.lastTold(SHOP, "template-1")).toBe(104_000);
  isAwake = true;
  hear(1);
  service.killed();
  hear(2);
  expect(service.lastTold(SHOP, "template-2")).toBe(105_000);
});

const TEMPLATE = addressTemplate({ id: "template-1" });

/** The template's GET is sent and answered. */
function answerGet(service: AnswersWatch, status: number): void {
  const request = { operation: "get", reader: SHOP, templateId: TEMPLATE.id } as ServiceRequest;
  service.left(request);
  service.answered(request, { status, body: JSON.stringify({ data: TEMPLATE }), headers: {}, cutShort: null });
}

test("the oracle holds nobody to an answer that came to a stopped process, unless the process goes on and keeps it", () => {
  let nowMs = 100_000;
  const service = createAnswersWatch({ nowMs: () => nowMs, listsBehindMs: 0, allAwake: () => true });
  const hear = () => {
    answerGet(service, 200);
    nowMs += 1_000;
  };
  service.holdBack(SHOP, TEMPLATE.id);
  hear();
  expect(service.lastTold(SHOP, TEMPLATE.id)).toBe(0);
  hear();
  expect(service.lastTold(SHOP, TEMPLATE.id)).toBe(101_000);
  const dropsIt = service.holdBack(SHOP, TEMPLATE.id);
  hear();
  dropsIt({ isKept: false });
  expect(service.lastTold(SHOP, TEMPLATE.id)).toBe(101_000);
  const goesOn = service.holdBack(SHOP, TEMPLATE.id);
  hear();
  expect(service.lastTold(SHOP, TEMPLATE.id)).toBe(101_000);
  goesOn({ isKept: true });
  expect(service.lastTold(SHOP, TEMPLATE.id)).toBe(103_000);
});

test("the oracle takes a 404 for no word about the template's address", () => {
  let nowMs = 100_000;
  const service = createAnswersWatch({ nowMs: () => nowMs, listsBehindMs: 0, allAwake: () => true });
  answerGet(service, 200);
  nowMs += 1_000;
  answerGet(service, 404);
  expect(service.lastTold(SHOP, TEMPLATE.id)).toBe(101_000);
  expect(service.lastShown(SHOP, TEMPLATE.id)).toBe(100_000);
});
