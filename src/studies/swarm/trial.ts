// Runs one world twice, compares the runs, and checks the expectations.
import { countDecisions, type DecisionCounts } from "../../lab/check/counts.ts";
import { checkVariant } from "../../lab/check/run.ts";
import { totalsOf } from "../../lab/check/totals.ts";
import { playVirtual } from "../../lab/drivers/virtual.ts";
import type { History } from "../../lab/scenario/history.ts";
import { writeHistory } from "../../lab/scenario/history/write.ts";
import { plan } from "../../lab/scenario/plan/plan.ts";
import { decode, decodeDocument, type Decoded } from "../../lab/scenario/read/decode.ts";
import { formatProblem } from "../../kit/reading/source.ts";
import type { Variant } from "../../lab/scenario/types.ts";
import type { Verdict } from "../../lab/scenario/verdict.ts";
import {
  documentOf,
  formatScenario,
  FOUND,
  type RawScenario,
  type ScenarioFrame,
} from "./as-scenario.ts";

/** Computes a fingerprint of text. Callers pass it, because browsers and Node have different functions. */
export type Digest = (chunks: Iterable<string>) => string;

export interface SwarmFailure {
  /** The sentence of the failed expectation, or `DIFFERS` or `THROWS`. */
  readonly what: string;
  readonly observed: string;
  readonly expected: string;
  /** The requirements by which the failing requests were decided. */
  readonly because: readonly string[];
}

export const DIFFERS = "a second run gives the same bytes";
export const THROWS = "every world can be run and checked";

export interface SwarmTrial {
  readonly failure: SwarmFailure | null;
  readonly digest: string;
  readonly requests: number;
  readonly refused: number;
  readonly rejected: number;
  readonly lost: number;
  /** The compared decisions, and how many of them the specification leaves open. */
  readonly decisions: DecisionCounts;
  readonly verdicts: readonly SwarmVerdict[];
}

type SwarmVerdict = Pick<Verdict, "expectation" | "outcome">;

export const tryText = (text: string, seed: number, digest: Digest): SwarmTrial =>
  catchErrors(() => tryVariant(variantOf(text), idOf(text), seed, digest));

export const tryScenario = (
  raw: RawScenario,
  frame: ScenarioFrame,
  seed: number,
  digest: Digest,
): SwarmTrial => catchErrors(() => tryVariant(buildVariant(raw, frame), frame.id, seed, digest));

/**
 * The failure of a reduced world; null if it passes or is invalid, because a removed part may have been needed. One run
 * shows a failed expectation; `DIFFERS` and `THROWS` need a whole trial.
 */
export function failureIfValid(
  raw: RawScenario,
  frame: ScenarioFrame,
  seed: number,
  wanted: string,
  digest: Digest,
): SwarmFailure | null {
  const { scenario } = decodeRaw(raw, frame);
  if (scenario === null) return null;
  const variant = scenario.variants[0]!;
  if (wanted === DIFFERS || wanted === THROWS)
    return catchErrors(() => tryVariant(variant, frame.id, seed, digest)).failure;
  try {
    const history = playVirtual(variant, plan(variant, frame.id, seed));
    return failureIn(history, checkVariant(variant, history));
  } catch (error) {
    return failureOf(error);
  }
}

function catchErrors(trial: () => SwarmTrial): SwarmTrial {
  try {
    return trial();
  } catch (error) {
    const none = { requests: 0, refused: 0, rejected: 0, lost: 0, decisions: countDecisions([]) };
    return { failure: failureOf(error), digest: "", ...none, verdicts: [] };
  }
}

const failureOf = (error: unknown): SwarmFailure => ({
  what: THROWS,
  observed: error instanceof Error ? error.message : String(error),
  expected: "no exception",
  because: [],
});

function failureIn(history: History, verdicts: readonly Verdict[]): SwarmFailure | null {
  const wrong = verdicts.find(({ outcome }) => outcome === "fail" || outcome === "error");
  return wrong === undefined
    ? null
    : {
        what: wrong.expectation,
        observed: wrong.observed,
        expected: wrong.expected,
        because: becauseOf(history, wrong.evidence),
      };
}

function tryVariant(variant: Variant, id: string, seed: number, digest: Digest): SwarmTrial {
  const run = (): History => playVirtual(variant, plan(variant, id, seed));
  const history = run();
  const first = digest(writeHistory(history));
  const second = digest(writeHistory(run()));
  const verdicts = checkVariant(variant, history);
  const failure: SwarmFailure | null =
    first === second
      ? failureIn(history, verdicts)
      : { what: DIFFERS, observed: `${first} and ${second}`, expected: "equal", because: [] };
  const { requests, refused, rejected, lost } = totalsOf(history);
  return {
    failure,
    digest: first,
    requests,
    refused,
    rejected,
    lost,
    decisions: countDecisions([{ verdicts }]),
    verdicts: verdicts.map(({ expectation, outcome }) => ({ expectation, outcome })),
  };
}

export function variantOf(text: string): Variant {
  const { scenario, problems } = decodeText(text);
  if (scenario === null) throw new Error(`${problems.map(formatProblem).join("\n")}\n\n${text}`);
  return scenario.variants[0]!;
}

/** The variant of a world. The scenario is written as text only if the world has problems. */
export function buildVariant(raw: RawScenario, frame: ScenarioFrame = FOUND): Variant {
  const { scenario } = decodeRaw(raw, frame);
  return scenario === null ? variantOf(formatScenario(raw, frame)) : scenario.variants[0]!;
}

const decodeText = (text: string): Decoded => decode(fileOf(idOf(text)), text);

const decodeRaw = (raw: RawScenario, frame: ScenarioFrame): Decoded =>
  decodeDocument(fileOf(frame.id), documentOf(raw, frame));

const fileOf = (id: string): string => `scenarios/${id}.yaml`;

/** The id in the first line of a text that `formatScenario` wrote. */
const idOf = (text: string): string => text.slice("id: ".length, text.indexOf("\n"));

const becauseOf = ({ header, requests }: History, rows: readonly number[]): readonly string[] => [
  ...new Set(rows.flatMap((row) => header.budgets[requests.budget[row]!]?.because ?? [])),
];
