import { expect, test } from "vitest";
import { holdsOthers } from "../../app/http/shut-port.ts";

/** Rows as Linux writes them. 3039 is port 12345. */
const HEADING =
  "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode                                                     ";
const row = (local: string, state: string, queued: string) =>
  `   0: 0100007F:${local} 0100007F:C3A8 ${state} 00000000:${queued} 00:00000000 00000000     0        0 6495 1 0000000087e49aaa 100 0 0 10 0`;
const table = (...rows: string[]) => [HEADING, ...rows, ""].join("\n");

test.each([
  ["the queue holds our own alone", [row("3039", "0A", "00000004")], false],
  ["the queue has taken one more", [row("3039", "0A", "00000005")], true],
  ["a connection is half made", [row("3039", "0A", "00000004"), row("3039", "03", "00000000")], true],
  ["connections are made", [row("3039", "01", "00000200"), row("3039", "06", "00000000")], false],
  ["another port's is half made", [row("303A", "03", "00000000"), row("0039", "0A", "00000FFF")], false],
  ["nothing is there", [], false],
])("of a port of which %s", (_what, rows, isHeld) => {
  expect(holdsOthers(table(...rows), 12_345)).toBe(isHeld);
});

test("a port below 4096 is written with four digits", () => {
  expect(holdsOthers(table(row("0050", "03", "00000000")), 80)).toBe(true);
});

test("a row of IPv6 ends with the port too", () => {
  const ipv6 = `   1: 00000000000000000000000001000000:3039 00000000000000000000000001000000:C3A8 03 00000000:00000000 01:00000064 00000000     0`;
  expect(holdsOthers(table(ipv6), 12_345)).toBe(true);
});
