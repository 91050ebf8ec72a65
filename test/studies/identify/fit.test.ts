// The search for a span on a continuous scale, with results that follow from one true span.
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { SECOND } from "#src/kit/units.ts";
import { numbersText } from "#src/studies/identify/behaviour-text.ts";
import { fitSpans, type Explain, type ShapeDraft } from "#src/studies/identify/fit.ts";
import { measureSpan } from "#src/studies/identify/naming.ts";
import { isRoundSpan, listRoundSpans } from "#src/studies/identify/round-numbers.ts";
import { createSuspect } from "#src/studies/identify/suspect.ts";
import { holds } from "../../runs.ts";

/** Shorter spans admit too many, and longer ones too few. */
const explainBetween =
  (fromUs: number, toUs: number): Explain =>
  (behaviour, edgeUs) =>
    behaviour.spanUs >= fromUs && behaviour.spanUs <= toUs
      ? { suspect: createSuspect(behaviour, edgeUs) }
      : { step: 0, steps: 1, admitsTooMany: behaviour.spanUs < fromUs };

const draftOf = (fromUs: number, toUs: number): ShapeDraft => ({
  name: "window",
  capacity: 7,
  fromUs,
  toUs,
  edgeUs: null,
  spansUs: null,
});

const seconds = fc.double({ min: 0.3, max: 7_000, noNaN: true });
const part = fc.double({ min: 0.0005, max: 0.2, noNaN: true });

test("whatever the span is, all that are found explain the responses, and none outside of the bounds does", () => {
  holds(
    fc.property(seconds, part, (trueS, width) => {
      const [least, most] = [trueS * SECOND, trueS * (1 + width) * SECOND];
      const { draft, suspects } = fitSpans(
        draftOf(least / 5, most * 3),
        explainBetween(least, most),
      );
      expect(suspects.length).toBeGreaterThan(0);
      for (const { behaviour } of suspects) {
        expect(behaviour.spanUs).toBeGreaterThanOrEqual(least);
        expect(behaviour.spanUs).toBeLessThanOrEqual(most);
      }
      expect(draft.fromUs).toBeLessThanOrEqual(least);
      expect(draft.toUs).toBeGreaterThanOrEqual(most);
      expect(draft.fromUs).toBeGreaterThan(0.99 * least - 1_000);
      expect(draft.toUs).toBeLessThan(1.01 * most + 1_000);
    }),
    60,
  );
});

test("a span that nothing explains is not found", () => {
  const none: Explain = (behaviour) => ({
    step: 0,
    steps: 1,
    admitsTooMany: behaviour.spanUs < SECOND,
  });
  expect(fitSpans(draftOf(SECOND / 5, 5 * SECOND), none).suspects).toEqual([]);
});

test.each([
  [3.29, 3.31, "7 per 3.3s"],
  [3.32, 3.35, "7 per 3.34s (3.31s to 3.37s)"],
  [59.9, 60.1, "7 per 60s"],
  [98, 100, "7 per 99s (97s to 101s)"],
])("between %d and %d seconds it is named %s", (least, most, text) => {
  const suspect = createSuspect({ name: "window", capacity: 7, spanUs: least * SECOND });
  expect(numbersText(measureSpan(suspect, [least * SECOND, most * SECOND]))).toBe(text);
});

test("round spans have two digits, or whole minutes and hours", () => {
  const spans = listRoundSpans(SECOND / 10, 7_200 * SECOND);
  expect(spans.filter((us) => !isRoundSpan(us))).toEqual([]);
  expect(spans).toEqual(
    expect.arrayContaining([0.21, 3.3, 47, 250, 6_700, 90 * 60].map((s) => s * SECOND)),
  );
  expect(spans).not.toContain(3.335 * SECOND);
});
