import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { proposalsOf, TIMES, undecidedWords } from "../../scripts/conformance/proposals.ts";
import { QUESTIONS } from "../../scripts/conformance/questions.ts";
import { reportOf, rowsOf, tableOf, type Report } from "../../scripts/conformance/report.ts";
import { behaviourFromReport } from "../sandbox/shipping/dialect/from-report.ts";
import { runStory } from "../simulation/story/run-story.ts";
import { serviceAs } from "../simulation/story/service-as.ts";
import { SECRET, standInOf, type Asked } from "./ask.ts";
import { DIALECTS } from "./dialects.ts";
import { FASTER } from "./fast-clock.ts";

/** Each of five stand-ins is asked once; what the report says is then compared with what the stand-in was told to do. */

const NAMES = Object.keys(DIALECTS);
const asked = new Map<string, { at: Asked; report: Report }>();

/** A person's template, whose words no report may hold. */
const THEIRS = {
  alias_name: "Casa de Rosalinda",
  address_type: "from",
  default: true,
  address_attributes: { name: "Rosalinda Quetzal", street1: "Privada del Olmo", phone: "5511223344" },
};

beforeAll(async () => {
  await Promise.all(
    NAMES.map(async (name) => {
      const at = await standInOf(DIALECTS[name]!);
      at.standIn.createTemplate("test-client-1", THEIRS);
      const ended = await at.run();
      asked.set(name, { at, report: reportOf(ended, { host: "127.0.0.1", at: "2026-01-01T00:00:00.000Z" }) });
    }),
  );
});

afterAll(() => Promise.all([...asked.values()].map(({ at }) => at.end())));

describe.each(NAMES)("a service that is %s", (name) => {
  const report = () => asked.get(name)!.report;

  test("is asked to the end, and every question has an answer", () => {
    expect(report().stopped).toBeNull();
    const unseen = report().rows.filter(({ verdict }) => verdict === "not seen");
    expect(unseen.map(({ asks }) => asks)).toEqual(["429"]);
  });

  test("is seen to do what it was told to do, in everything", () => {
    const { textLimits, getBehindMs = 0, listBehindMs = 0, verification, ...told } = DIALECTS[name]!;
    const played = behaviourFromReport(report(), { timesFaster: FASTER });
    expect(played).toMatchObject(told);
    // Refused above the longest of the lengths tried that it takes; where it cuts, exactly there.
    expect(played.textLimits).toEqual(textLimits);
    expect(played.verification).toMatchObject(verificationSeen(verification));
    expect(played.getBehindMs).toBeGreaterThanOrEqual(getBehindMs === 0 ? 0 : getBehindMs / 2);
    if (getBehindMs === 0) expect(played.getBehindMs).toBe(0);
    if (listBehindMs > 0) expect(played.listBehindMs).toBeGreaterThan(listBehindMs / 2);
    else expect(played.listBehindMs).toBeLessThan(100);
  });

  test("is left as it was found: nothing of ours, and a person's template untouched", () => {
    const { at } = asked.get(name)!;
    const { made, deleted } = report().counts;
    expect(made).toBeGreaterThanOrEqual(3);
    expect(deleted).toBe(made);
    expect(report().left).toEqual([]);
    expect(at.journal.open()).toHaveLength(0);
    const left = at.standIn.templates("test-client-1", "test");
    expect(left.map(({ alias_name, default: standard }) => [alias_name, standard])).toEqual([
      [THEIRS.alias_name, true],
    ]);
    const writes = at.standIn.log().filter(({ client }) => client !== null);
    expect(writes.filter(({ templateId }) => templateId === left[0]!.id)).toEqual([]);
  });

  test("finds no secret, no id and no person's word in the report", () => {
    const { at } = asked.get(name)!;
    const text = `${JSON.stringify(report())}\n${tableOf(report())}`;
    const tokens = at.standIn
      .requests()
      .flatMap(({ rawHeaders }) => rawHeaders.filter((one) => one.startsWith("Bearer ")));
    expect(tokens.length).toBeGreaterThan(20);
    const ids = at.standIn.log().map(({ templateId }) => templateId);
    const secrets = [SECRET, "test-client-1", ...tokens.map((one) => one.slice(7)), ...ids];
    const words = ["Rosalinda", "Olmo", "5511223344"];
    // The token that nobody issued is the command's own word.
    const found = [...secrets, ...words].filter((word) => word !== "not-a-token-of-anybody" && text.includes(word));
    expect(found).toEqual([]);
  });

  test("proposes no time below the app's default, and no word as accepted", () => {
    for (const { name: setting, defaultMs } of TIMES)
      expect(Number(proposalsOf(report().seen).find((each) => each.name === setting)!.value)).toBeGreaterThanOrEqual(
        defaultMs,
      );
  });
});

function verificationSeen({ stepMs: _, ...told }: (typeof DIALECTS)[string]["verification"]) {
  return { ...told, knownCarriers: told.knownCarriers && expect.arrayContaining(told.knownCarriers) };
}

test("what differs from what is assumed is named for each service", () => {
  const different = (name: string) =>
    asked
      .get(name)!
      .report.rows.filter(({ verdict }) => verdict === "different")
      .map(({ asks }) => asks);
  expect(different("as assumed")).toEqual([]);
  expect(different("strict")).toEqual([
    "the nine operations",
    "an id without an id's form",
    "address fields that a PATCH does not name",
    "a token's life",
    "two tokens at once",
    "a revoked token",
    "introspection",
    "the words of `status`",
    "headers that tell of the rate",
  ]);
  expect(different("careless")).toEqual([
    "address fields that a PATCH does not name",
    "lengths 30, 35, 45, 100, 255",
    "the street's number apart from the street",
    "a token's life",
    "a revoked token",
    "a carrier that nobody knows",
    "the words of `status`",
    "headers of idempotent creates",
  ]);
  expect(different("late")).toContain("how late a write appears");
  expect(different("silent")).toContain("an address that is refused");
});

test("two services that differ are told apart in each question that has more than one answer", () => {
  const alike = QUESTIONS.filter(({ key }) => key !== "tooMany" && key !== "operations").filter(({ asks }) => {
    const said = NAMES.map((name) => asked.get(name)!.report.rows.find((row) => row.asks === asks)!.seen);
    return new Set(said).size < 2;
  });
  expect(alike.map(({ asks }) => asks)).toEqual(["a wrong secret"]);
});

test("words that another one followed are proposed as pending, last ones are asked of a person", () => {
  const { seen } = asked.get("strict")!.report;
  const table = proposalsOf(seen).find(({ name }) => name === "VERIFICATION_STATUS_TABLE")!;
  expect(JSON.parse(table.value)).toMatchObject({ queued: "pending", at_carrier: "pending", verified: "accepted" });
  expect(JSON.parse(table.value)).not.toHaveProperty("confirmed");
  expect(undecidedWords(seen).sort()).toEqual(["confirmed", "not_confirmed"]);
});

test("times follow from what was seen: twice the longest", () => {
  const late = { created_get: 45_000, changed_get: 10_000, created_list: 20_000, deleted_list: null };
  const proposed = new Map(proposalsOf({ late }).map(({ name, value }) => [name, value]));
  expect(Object.fromEntries(proposed)).toEqual({
    QUARANTINE_LONGEST_MS: "90000",
    QUARANTINE_MARGIN_MS: "240000",
    LISTINGS_APART_MS: "240000",
    ABSENCE_BELIEVED_AFTER_MS: "90000",
  });
  expect(rowsOf({ late }).find(({ asks }) => asks === "how late a write appears")!.set).toMatch(/do not go live/);
});

test("the simulation plays a service as it was seen", async () => {
  const as = serviceAs(asked.get("careless")!.report);
  expect(as.habits).toEqual({
    wipes: true,
    tidies: true,
    refuses: [],
    aliasLength: 40,
    capitals: true,
    repeatsItself: false,
  });
  const { played } = await runStory({ seed: 3, serviceAs: as });
  expect(new Map(played).get("dialect: a partial update empties the rest")).toBe(1);
  const { habits: late } = serviceAs(asked.get("late")!.report);
  expect(late).toMatchObject({ order: "newest", refuses: ["dhl", "ampm"], repeatsItself: true });
});
