import { describe, expect, test } from "vitest";
import { followsMachine, isAgreedDate, isStillToCome, isSureDate } from "../../app/domain/dates.ts";

const NOW = 1_800_000_000_000;
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const YEAR = 365 * 24 * HOUR;
const said = (nowMs: number, source: "shopify" | "service" = "shopify") => ({ source, nowMs });

describe("whose date is believed", () => {
  test.each([
    ["a second's difference is none", { machineMs: NOW + 1_000, opinions: [] }, HOUR, false],
    ["a minute ahead, with no server heard, is waited out", { machineMs: NOW + MINUTE, opinions: [] }, 7 * HOUR, false],
    ["what lasts eight hours is believed", { machineMs: NOW + MINUTE, opinions: [] }, 8 * HOUR, true],
    ["a server that agrees with the machine", { machineMs: NOW + HOUR, opinions: [said(NOW + HOUR + 900)] }, 0, true],
    ["one that agrees with the process", { machineMs: NOW + YEAR, opinions: [said(NOW - 900)] }, 24 * HOUR, false],
    [
      "two that disagree change nothing",
      { machineMs: NOW + HOUR, opinions: [said(NOW), said(NOW + HOUR, "service")] },
      HOUR,
      false,
    ],
    ["one that is a year off says nothing", { machineMs: NOW + HOUR, opinions: [said(NOW - YEAR)] }, 8 * HOUR, true],
    [
      "a machine that is hours off beside a process that is a year off",
      { machineMs: NOW - YEAR + 6 * HOUR, opinions: [said(NOW - YEAR), said(NOW - YEAR + 900, "service")] },
      0,
      true,
    ],
    [
      "a process that is hours off beside a machine that is a year off",
      { machineMs: NOW + YEAR, opinions: [said(NOW - 6 * HOUR)] },
      24 * HOUR,
      false,
    ],
    ["back as well as ahead", { machineMs: NOW - YEAR, opinions: [said(NOW - YEAR)] }, 0, true],
  ])("%s", (_title, dates, lastingMs, follows) => {
    expect(followsMachine({ nowMs: NOW, ...dates }, lastingMs)).toBe(follows);
  });
});

describe("a date is sure", () => {
  test.each([
    [
      "when a server and both clocks agree within an hour",
      { machineMs: NOW + MINUTE, opinions: [said(NOW - 50 * MINUTE)] },
      true,
    ],
    ["not when nobody was heard", { machineMs: NOW, opinions: [] }, false],
    ["not when the wall clock runs ahead", { machineMs: NOW + 2 * HOUR, opinions: [said(NOW)] }, false],
    [
      "not when one of two servers says otherwise",
      { machineMs: NOW, opinions: [said(NOW), said(NOW - YEAR, "service")] },
      false,
    ],
    ["not when the process began at a wrong date", { machineMs: NOW, opinions: [said(NOW - YEAR)] }, false],
  ])("%s", (_title, dates, sure) => {
    expect(isSureDate({ nowMs: NOW, ...dates })).toBe(sure);
  });
});

describe("a date is agreed", () => {
  test.each([
    [
      "though the service's is wrong, where Shopify was heard",
      [said(NOW), said(NOW - 2 * HOUR, "service")],
      { agreed: true, toCome: false },
    ],
    ["by the service, where Shopify was not heard", [said(NOW, "service")], { agreed: true, toCome: false }],
    ["not by a wrong one alone", [said(NOW - 2 * HOUR, "service")], { agreed: false, toCome: true }],
    ["not where Shopify says otherwise", [said(NOW - 2 * HOUR), said(NOW, "service")], { agreed: false, toCome: true }],
    ["although it is ahead of Shopify's", [said(NOW - 50 * MINUTE)], { agreed: true, toCome: true }],
    ["in whole seconds, and after a way", [said(NOW - 3_000)], { agreed: true, toCome: false }],
    ["not when nobody was heard", [], { agreed: false, toCome: false }],
  ])("%s", (_title, opinions, expected) => {
    const dates = { nowMs: NOW, machineMs: NOW, opinions };
    expect({ agreed: isAgreedDate(dates), toCome: isStillToCome(NOW, opinions) }).toEqual(expected);
  });
});
