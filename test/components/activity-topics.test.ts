import { expect, test } from "vitest";
import words from "../../app/i18n/locales/en/activity.json" with { type: "json" };
import { ACTIVITY_TOPICS } from "../../app/views/activity.ts";

test("each kind of line that has words is found under one topic, and no topic names another", () => {
  const named = Object.values(ACTIVITY_TOPICS).flat().sort();
  const kinds = Object.keys(words.kind).filter((kind) => kind !== "other");
  expect(named).toEqual(kinds.sort());
});
