// Finds suspects that explain all responses so far, and fits a shape's span again if few of its suspects are left.
import type { Rng } from "../../kit/chance/rng.ts";
import { restUsOf } from "./behaviour.ts";
import { doubtUs, evidenceOf } from "./evidence.ts";
import { behaviourAt, fitSpans, freeSpanOf, type Explain, type ShapeDraft } from "./fit.ts";
import { listDecided, responsesOf, type IdentifyStep, type Prober } from "./prober.ts";
import { draftShapes, draftShifted, draftSinceFirst, type FirstFindings } from "./shapes.ts";
import {
  createSuspect,
  isExclusion,
  withoutUnexplained,
  withGroups,
  type Suspect,
  type Thoroughness,
} from "./suspect.ts";
import { countOf, type ProbedGroup } from "./target.ts";

/** If a shape has fewer suspects than this, its span is fitted again between the remaining bounds. */
const FEW_SIBLINGS = 3;
/** Bounds are widened by this factor, and by at least `AROUND_US`, because times are inexact. */
const AROUND = 1.004;
const AROUND_US = 2_000;
/** Windows shorter than this multiple of the uncertainty of times cannot be detected. */
const LEAST_SEEN = 2;
const EDGE_DOUBT_US = 1_000;

export class SuspectSearch {
  readonly #prober: Prober;
  readonly #findings: FirstFindings;
  readonly #random: Rng;
  readonly #first: number;
  readonly #drafts = new Map<string, readonly ShapeDraft[]>(); // by shape: drafts with a fitting span
  #composites: readonly ShapeDraft[] = [];

  /** Responses before step `first` are ignored. */
  constructor(prober: Prober, findings: FirstFindings, first: number, random: Rng) {
    this.#prober = prober;
    this.#findings = findings;
    this.#first = first;
    this.#random = random;
  }

  /** Fits all shapes except the `known` ones, and returns the suspects that explain all responses. */
  searchAll(
    thoroughness: Thoroughness = "quick",
    known: ReadonlySet<string> = new Set(),
  ): readonly Suspect[] {
    const explain = this.createExplainer("all", thoroughness);
    const firstUs = this.#firstUs();
    const drafts = draftShifted(this.#findings);
    const sinceFirst = drafts.flatMap((each) => draftSinceFirst(each, firstUs));
    const resolutionUs = LEAST_SEEN * doubtUs(this.#prober.timing);
    const shapes = draftShapes(this.#findings, resolutionUs);
    const all = [...shapes, ...sinceFirst, ...drafts, ...this.#composites].filter(
      (draft) => !known.has(shapeOf({ behaviour: behaviourAt(draft, draft.fromUs) })),
    );
    return withoutUnexplained(this.#fit(all, explain));
  }

  /** Whether at least one suspect explains all responses, even those before it became a suspect. */
  isExplained(suspects: readonly Suspect[]): boolean {
    const explain = this.createExplainer("all", "thorough");
    return suspects.some(({ behaviour, edgeUs }) => "suspect" in explain(behaviour, edgeUs));
  }

  /** Tries drafts of two limits and of pauses, if no single limit explains all responses. Returns their suspects. */
  addComposites(drafts: readonly ShapeDraft[]): readonly Suspect[] {
    this.#composites = drafts;
    return this.#fit(drafts, this.createExplainer("all"));
  }

  /** Returns the suspects left after an experiment, and newly fitted suspects of shapes that have few or none left. */
  renew(before: readonly Suspect[], left: readonly Suspect[]): readonly Suspect[] {
    const after = new Map(byShape(left).map((of) => [shapeOf(of[0]!), of]));
    let explain: Explain | null = null;
    const renewed = byShape(before).flatMap((of) => {
      const name = shapeOf(of[0]!);
      const survivors = after.get(name) ?? [];
      if (survivors.length === of.length) return survivors;
      const drafts = (this.#drafts.get(name) ?? []).map((draft) => narrow(draft, of, survivors));
      if (survivors.length > 0) this.#drafts.set(name, drafts);
      const free = drafts.filter(({ spansUs }) => spansUs === null);
      if (free.length === 0 || survivors.length >= FEW_SIBLINGS) return survivors;
      explain ??= this.createExplainer("recent");
      const fitted = this.#fit(free.map(widen), explain);
      return fitted.length > 0 ? withCounts(fitted, [...of, ...survivors]) : survivors;
    });
    return withoutUnexplained(renewed);
  }

  /** Fits the span of this shape to all responses again: experiments may not have tested spans near its bounds. */
  sharpen(suspects: readonly Suspect[], shape: string): readonly Suspect[] {
    const free = (this.#drafts.get(shape) ?? []).filter(({ spansUs }) => spansUs === null);
    const fitted = this.#fit(free.map(widen), this.createExplainer("all"));
    const own = suspects.filter((each) => shapeOf(each) === shape);
    const others = suspects.filter((each) => shapeOf(each) !== shape);
    return fitted.length > 0 ? [...withCounts(fitted, own), ...others] : suspects;
  }

  /** The bounds outside which all spans of this shape are excluded. */
  boundsOf(suspect: Suspect): readonly [fromUs: number, toUs: number] {
    const spanUs = freeSpanOf(suspect.behaviour);
    const drafts = (this.#drafts.get(shapeOf(suspect)) ?? []).filter(
      ({ spansUs }) => spansUs === null,
    );
    return [
      Math.min(spanUs, ...drafts.map(({ fromUs }) => fromUs)),
      Math.max(spanUs, ...drafts.map(({ toUs }) => toUs)),
    ];
  }

  #fit(drafts: readonly ShapeDraft[], explain: Explain): readonly Suspect[] {
    const edgeUs = this.#sharpestEdge();

    const fits = drafts
      .map((draft) =>
        draft.edgeUs === null ? draft : { ...draft, edgeUs: edgeUs ?? draft.edgeUs },
      )
      .map((draft) => fitSpans(draft, explain))
      .filter(({ suspects }) => suspects.length > 0);
    // A search that the end of the time cut off knows neither all suspects nor their bounds.
    if (this.#prober.isOver()) return [];
    for (const [name, of] of Map.groupBy(fits, ({ suspects }) => shapeOf(suspects[0]!)))
      this.#drafts.set(
        name,
        of.map(({ draft }) => draft),
      );
    return fits.flatMap(({ suspects }) => suspects);
  }

  /** The shortest time between a refusal and the next admission; if the limit has windows, a window begins in it. */
  #sharpestEdge(): readonly [fromUs: number, toUs: number] | null {
    const { steps, timing } = this.#prober;
    const wayUs = Math.max(0, timing.tripUs / 2 - EDGE_DOUBT_US);
    const responses = listDecided(responsesOf(steps.slice(this.#first)));
    let sharpest: readonly [number, number] | null = null;
    for (const [index, { outcome, sentUs, receivedUs }] of responses.entries()) {
      const before = responses[index - 1];
      if (outcome !== "admitted" || before?.outcome !== "refused") continue;
      // The order of simultaneous requests is unknown.
      if (sentUs - before.sentUs < 2 * doubtUs(timing)) continue;
      const edge = [before.sentUs + wayUs, receivedUs - wayUs] as const;
      if (sharpest === null || edge[1] - edge[0] <= sharpest[1] - sharpest[0]) sharpest = edge;
    }
    return sharpest;
  }

  #firstUs(): number {
    const [response] = this.#prober.steps[0]!.groups[0]!.responses;
    return response!.sentUs + this.#prober.timing.tripUs / 2;
  }

  /** Creates a test of behaviours. `recent`: only by responses since the last rest; the bounds reflect earlier ones. */
  createExplainer(extent: "all" | "recent", thoroughness: Thoroughness = "quick"): Explain {
    const { steps, timing } = this.#prober;
    // The first step is always included, because windows may follow each other since the first request.
    const counted = [...steps.slice(0, Math.min(1, this.#first)), ...steps.slice(this.#first)];
    const evidence = joinRefused(counted).flatMap((groups, index, all) => {
      const restedUs = index === 0 ? 0 : startOf(groups) - endOf(all[index - 1]!);
      return evidenceOf(groups, timing, this.#random).map((each, segment) => ({
        each,
        restedUs: segment === 0 ? restedUs : 0,
      }));
    });
    return (behaviour, edgeUs) => {
      if (this.#prober.isOver()) return { step: 0, steps: evidence.length, admitsTooMany: true };
      let suspect = createSuspect(behaviour, edgeUs);
      const restUs = behaviour.name === "key_window" ? Infinity : RESTED * restUsOf(behaviour);
      const first =
        extent === "all" ? 0 : evidence.findLastIndex(({ restedUs }) => restedUs >= restUs);
      for (const [step, { each }] of evidence.entries()) {
        if (step < first) continue;
        const next = withGroups(suspect, each, timing, this.#random, thoroughness);
        if (isExclusion(next))
          return { step, steps: evidence.length, admitsTooMany: next.admitsTooMany };
        suspect = next;
      }
      return { suspect };
    };
  }
}

const RESTED = 1.1;

const startOf = (groups: readonly ProbedGroup[]): number =>
  Math.min(...groups.flatMap(({ responses }) => responses.map(({ sentUs }) => sentUs)));

/** The latest send time: even a request without a response may have been decided then. */
const endOf = (groups: readonly ProbedGroup[]): number =>
  Math.max(...groups.flatMap(({ responses }) => responses.map(({ sentUs }) => sentUs)));

/** Copies the counts of bursts from the known suspects of a shape to suspects of that shape with other spans. */
const withCounts = (
  suspects: readonly Suspect[],
  known: readonly Suspect[],
): readonly Suspect[] => {
  const most = (countOf: (each: Suspect) => number): number => Math.max(...known.map(countOf));
  return suspects.map((each) => ({
    ...each,
    exactBursts: Math.max(
      each.exactBursts,
      most(({ exactBursts }) => exactBursts),
    ),
    overshoots: Math.max(
      each.overshoots,
      most(({ overshoots }) => overshoots),
    ),
  }));
};

/** Narrows the bounds by the spans that the last experiment excluded. */
function narrow(
  draft: ShapeDraft,
  before: readonly Suspect[],
  left: readonly Suspect[],
): ShapeDraft {
  if (draft.spansUs !== null || left.length === 0) return draft;
  const spans = left.map(({ behaviour }) => freeSpanOf(behaviour));
  const [least, most] = [Math.min(...spans), Math.max(...spans)];
  const excluded = before
    .map(({ behaviour }) => freeSpanOf(behaviour))
    .filter((us) => us >= draft.fromUs && us <= draft.toUs);
  return {
    ...draft,
    fromUs: Math.max(draft.fromUs, ...excluded.filter((us) => us < least)),
    toUs: Math.min(draft.toUs, ...excluded.filter((us) => us > most)),
  };
}

const widen = (draft: ShapeDraft): ShapeDraft => ({
  ...draft,
  fromUs: Math.max(1, Math.min(draft.fromUs / AROUND, draft.fromUs - AROUND_US)),
  toUs: Math.max(draft.toUs * AROUND, draft.toUs + AROUND_US),
});

/** The name of a shape: all parameters but the free span, which with two limits is the span of the second. */
export const shapeOf = ({
  behaviour: { name, capacity, spanUs, second, pauseUs },
}: Pick<Suspect, "behaviour">): string =>
  name === "credit_bucket"
    ? name
    : [name, capacity, pauseUs, ...(second === undefined ? [] : [second.capacity, spanUs])].join(
        " ",
      );

const byShape = (suspects: readonly Suspect[]): readonly (readonly Suspect[])[] => [
  ...Map.groupBy(suspects, shapeOf).values(),
];

/** Joins steps without an admission to the next step, because one comparison is faster than several. */
function joinRefused(steps: readonly IdentifyStep[]): readonly (readonly ProbedGroup[])[] {
  const joined: (readonly ProbedGroup[])[] = [];
  let refused: readonly ProbedGroup[] = [];
  for (const [index, { groups }] of steps.entries()) {
    const all = [...refused, ...groups];
    const isRefused = groups.every((group) => countOf(group, "admitted") === 0);
    refused = isRefused ? all : [];
    if (!isRefused || index === steps.length - 1) joined.push(all);
  }
  return joined;
}
