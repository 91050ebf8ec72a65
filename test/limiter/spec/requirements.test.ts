import { expect, test } from "vitest";
import { REQUIREMENTS } from "#src/limiter/spec/requirements.ts";

const count = (area: string, tier: string, state: string): number =>
  REQUIREMENTS.filter(
    (each) => each.id.startsWith(`${area}-`) && each.tier === tier && each.state === state,
  ).length;

// Both numbers move only on purpose: an id that is built needs a scenario, and no id goes away.
test.each<[area: string, tier: string, built: number, planned: number]>([
  ["LIM", "required", 14, 0],
  ["LIM", "chosen", 19, 0],
  ["EPT", "required", 7, 0],
  ["EPT", "chosen", 7, 0],
  ["ALG", "required", 7, 0],
  ["ALG", "informative", 4, 0],
  ["ALG", "chosen", 11, 0],
  ["SMO", "required", 9, 0],
  ["SMO", "chosen", 7, 0],
  ["HDR", "chosen", 2, 0],
  ["EVT", "required", 3, 0],
  ["EVT", "chosen", 3, 0],
  ["MGT", "required", 12, 0],
  ["MGT", "chosen", 11, 0],
])("%s has %s ids: %i built, %i planned", (area, tier, built, planned) => {
  expect([count(area, tier, "built"), count(area, tier, "planned")]).toEqual([built, planned]);
});

test("there are 116 ids in all, no two the same", () => {
  expect(new Set(REQUIREMENTS.map(({ id }) => id)).size).toBe(116);
  expect(REQUIREMENTS.length).toBe(116);
});

test("an id shows whether its statement was chosen", () => {
  for (const { id, tier } of REQUIREMENTS) {
    expect(id).toMatch(/^(LIM|EPT|ALG|SMO|HDR|EVT|MGT)-C?\d+$/);
    expect(id.includes("-C")).toBe(tier === "chosen");
  }
});

test("the ids of a tier count up without a gap", () => {
  for (const start of [
    "LIM-",
    "LIM-C",
    "EPT-",
    "EPT-C",
    "ALG-",
    "ALG-C",
    "SMO-",
    "SMO-C",
    "HDR-C",
    "EVT-",
    "EVT-C",
    "MGT-",
    "MGT-C",
  ]) {
    const numbers = REQUIREMENTS.filter(
      ({ id }) => id.startsWith(start) && /^\d+$/.test(id.slice(start.length)),
    ).map(({ id }) => Number(id.slice(start.length)));
    expect(numbers.toSorted((a, b) => a - b)).toEqual(numbers.map((_, index) => index + 1));
  }
});

// A decision with several parts is several short sentences: two for a statement of the document, four for a choice.
test("each is a few sentences with a source", () => {
  for (const { text, section, tier } of REQUIREMENTS) {
    expect(text).toMatch(/^[A-Zra-z].*\.$/);
    expect(
      text.split(/\.(?= |$)/).filter((sentence) => sentence !== "").length,
    ).toBeLessThanOrEqual(tier === "chosen" ? 4 : 2);
    expect(section).not.toBe("");
  }
});
