// Suspects for all that was sent so far: every shape with free numbers, and a shape again when its numbers became too few.
import type { Rng } from "../../kit/chance/rng.ts";
import { restUsOf } from "./behaviour.ts";
import { doubtUs, evidenceOf } from "./evidence.ts";
import { behaviourAt, fitSpans, freeSpanOf, type Explain, type ShapeDraft } from "./fit.ts";
import type { IdentifyStep, Prober } from "./prober.ts";
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

/** With fewer of a shape, its span is tried again between the bounds that are left. */
const FEW_SIBLINGS = 3;
/** A bound may be a little wrong, because times are. */
const AROUND = 1.004;
const AROUND_US = 2_000;
/** Of what times are uncertain by. */
const LEAST_SEEN = 2;
const EDGE_DOUBT_US = 1_000;

export class SuspectSearch {
  readonly #prober: Prober;
  readonly #findings: FirstFindings;
  readonly #random: Rng;
  readonly #first: number;
  readonly #drafts = new Map<string, readonly ShapeDraft[]>(); // of each shape, those that something fits
  #composites: readonly ShapeDraft[] = [];

  /** `first`: the first step that counts. */
  constructor(prober: Prober, findings: FirstFindings, first: number, random: Rng) {
    this.#prober = prober;
    this.#findings = findings;
    this.#first = first;
    this.#random = random;
  }

  /** Every shape that some numbers make explain all responses, but for those that are known. */
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

  /** Whether its numbers explain all responses, those before it became a suspect too. */
  isExplained(suspects: readonly Suspect[]): boolean {
    const explain = this.createExplainer("all", "thorough");
    return suspects.some(({ behaviour, edgeUs }) => "suspect" in explain(behaviour, edgeUs));
  }

  /** Two limits at once, and pauses, are tried only where no single limit explains everything. */
  addComposites(drafts: readonly ShapeDraft[]): readonly Suspect[] {
    this.#composites = drafts;
    return this.#fit(drafts, this.createExplainer("all"));
  }

  /** After an experiment: shapes of which few numbers are left, or none that was tried, with numbers between those. */
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

  /** The bounds of this shape once more, by all responses: no suspect may be near enough to them to be excluded. */
  sharpen(suspects: readonly Suspect[], shape: string): readonly Suspect[] {
    const free = (this.#drafts.get(shape) ?? []).filter(({ spansUs }) => spansUs === null);
    const fitted = this.#fit(free.map(widen), this.createExplainer("all"));
    const own = suspects.filter((each) => shapeOf(each) === shape);
    const others = suspects.filter((each) => shapeOf(each) !== shape);
    return fitted.length > 0 ? [...withCounts(fitted, own), ...others] : suspects;
  }

  /** Spans of this shape outside of these are excluded. */
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
    for (const [name, of] of Map.groupBy(fits, ({ suspects }) => shapeOf(suspects[0]!)))
      this.#drafts.set(
        name,
        of.map(({ draft }) => draft),
      );
    return fits.flatMap(({ suspects }) => suspects);
  }

  /** The shortest time between a refusal and the next admission: if there are windows, one begins in it. */
  #sharpestEdge(): readonly [fromUs: number, toUs: number] | null {
    const { steps, timing } = this.#prober;
    const wayUs = Math.max(0, timing.tripUs / 2 - EDGE_DOUBT_US);
    const responses = steps
      .slice(this.#first)
      .flatMap(({ groups }) => groups)
      .flatMap((group) => group.responses)
      .filter(({ outcome }) => outcome === "admitted" || outcome === "refused")
      .toSorted((a, b) => a.sentUs - b.sentUs);
    let sharpest: readonly [number, number] | null = null;
    for (const [index, { outcome, sentUs, receivedUs }] of responses.entries()) {
      const before = responses[index - 1];
      if (outcome !== "admitted" || before?.outcome !== "refused") continue;
      // Of requests at once the order is not known.
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

  /** `recent`: without what was sent before the limit last rested, which the bounds already reflect. */
  createExplainer(extent: "all" | "recent", thoroughness: Thoroughness = "quick"): Explain {
    const { steps, timing } = this.#prober;
    // Windows may follow each other since the first request of all.
    const counted = [...steps.slice(0, Math.min(1, this.#first)), ...steps.slice(this.#first)];
    const evidence = joinRefused(counted).flatMap((groups, index, all) => {
      const restedUs = index === 0 ? 0 : startOf(groups) - endOf(all[index - 1]!);
      return evidenceOf(groups, timing, this.#random).map((each, segment) => ({
        each,
        restedUs: segment === 0 ? restedUs : 0,
      }));
    });
    return (behaviour, edgeUs) => {
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

/** A lost request may have been decided when it was given up. */
const endOf = (groups: readonly ProbedGroup[]): number =>
  Math.max(...groups.flatMap(({ responses }) => responses.map(({ sentUs }) => sentUs)));

/** What bursts showed of the shape holds for its other numbers. */
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

/** Bounds without the numbers that the last experiment excluded. */
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

/** Of two limits the span of the second one is free, and each of the first one is a shape of its own. */
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

/** Steps of which nothing was admitted are one with the next step: a suspect that is compared once is compared sooner. */
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
