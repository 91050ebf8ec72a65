// What a page needs of its last run after the charts: digests, explanations, and single requests. Small histories are
// retained for that; a longer one is recorded again, because the same seed gives the same history.
import { answerTo } from "../../lab/check/rejections.ts";
import { explainVariant } from "../../lab/check/explain.ts";
import { endUsOf } from "../../lab/check/series.ts";
import { requestNames } from "../../lab/check/request-names.ts";
import { wasDelayed } from "../../lab/check/select.ts";
import { mostEntries, NO_REFUSALS, refusalsOf } from "../../lab/report/build/refusals.ts";
import type { RefusalsReport } from "../../lab/report/model-refusals.ts";
import type { History } from "../../lab/scenario/history.ts";
import { writeHistory } from "../../lab/scenario/history/write.ts";
import { plan } from "../../lab/scenario/plan/plan.ts";
import type { Scenario, Variant } from "../../lab/scenario/types.ts";
import type { Result } from "../../lab/scenario/verdict.ts";
import { answerExplain } from "../answers/explain.ts";
import { playHere, whyNotHere } from "./play-here.ts";
import { MARK_ANSWERS, type RequestMarks } from "./request-marks.ts";

export interface VariantDigest {
  readonly variant: string;
  readonly digest: string | null; // null if the variant did not run
}

/** The reason for the decision on one request. */
export interface RequestReason {
  readonly row: number;
  readonly request: string | null; // such as "first:6"; null for a retry
  readonly text: string;
  readonly agrees: "yes" | "no" | "open"; // whether the specification agrees
  /** Rows of the history that filled the budget. */
  readonly filledBy: readonly number[];
}

export interface LastRun {
  /** Called in the order of the variants. */
  readonly add: (run: FinishedRun) => void;
  readonly length: () => number;
  readonly digests: (
    digestOf: (chunks: Iterable<string>) => string,
  ) => Promise<readonly VariantDigest[]>;
  readonly refusals: () => Promise<readonly RefusalsReport[]>;
  /** Null if the variant did not run. */
  readonly marks: (variant: number) => Promise<RequestMarks | null>;
  /** Null if there is no such request or its variant did not run. */
  readonly reason: (variant: number, row: number) => Promise<RequestReason | null>;
}

interface FinishedRun {
  readonly variant: Variant;
  readonly history: History | null; // null if the variant did not run
  readonly result: Result;
}

/** The maximum number of requests retained over all variants; each needs about 150 bytes. */
const MOST_RETAINED = 250_000;
const MOST_MARKS = 200_000;
/** Requests after this row of a history are not explained: the walk over all earlier requests takes too long. */
const MOST_EXPLAINED = 200_000;
const MOST_FILLERS = 2_000;

export function lastRun(
  { id, variants }: Scenario,
  seed: number,
  mostRetained = MOST_RETAINED,
): LastRun {
  const results: Result[] = [];
  const retained = new Map<number, History>();
  let newest: { readonly index: number; readonly history: History } | null = null;
  let room = mostRetained;

  function retain(index: number, history: History): History {
    newest = { index, history };
    if (history.requests.length <= room) {
      room -= history.requests.length;
      retained.set(index, history);
    }
    return history;
  }

  async function historyOf(index: number): Promise<History | null> {
    const variant = variants[index];
    if (variant === undefined || whyNotHere(variant) !== null) return null;
    const known = newest?.index === index ? newest.history : retained.get(index);
    return known ?? retain(index, await playHere(variant, plan(variant, id, seed)));
  }

  return {
    add: ({ history, result }) => {
      results.push(result);
      if (history !== null) retain(results.length - 1, history);
    },
    length: () => results.length,
    digests: async (digestOf) => {
      const digests: VariantDigest[] = [];
      for (const [index, { name }] of variants.entries()) {
        const history = await historyOf(index);
        const digest = history === null ? null : digestOf(writeHistory(history));
        digests.push({ variant: name, digest });
      }
      return digests;
    },
    refusals: async () => {
      const all: RefusalsReport[] = [];
      for (const [index, variant] of variants.entries()) {
        const { verdicts, refused } = results[index]!;
        const history = refused === 0 ? null : await historyOf(index);
        all.push(
          history === null
            ? NO_REFUSALS
            : refusalsOf({ variant, history, verdicts }, mostEntries(variants.length)),
        );
      }
      return all;
    },
    marks: async (index) => {
      const history = await historyOf(index);
      return history === null ? null : marksOf(history);
    },
    reason: async (index, row) => {
      const history = await historyOf(index);
      return history === null || !(row < Math.min(history.requests.length, MOST_EXPLAINED))
        ? null
        : reasonOf(variants[index]!, history, row);
    },
  };
}

function marksOf(history: History): RequestMarks {
  const { requests, header } = history;
  const order = Array.from(requests.reason.keys());
  const { sentUs } = requests;
  order.sort((a, b) => sentUs[a]! - sentUs[b]! || a - b);
  const names = [...new Set(header.flows.map(({ name }) => name))];
  const flowOf = header.flows.map(({ name }) => names.indexOf(name));
  const shown = order.slice(0, MOST_MARKS);
  return {
    flows: names,
    atUs: Float64Array.from(shown, (row) => sentUs[row]!),
    rows: Uint32Array.from(shown),
    flow: Uint16Array.from(shown, (row) => flowOf[requests.flow[row]!]!),
    status: Uint16Array.from(shown, (row) => requests.status[row]!),
    answer: Uint8Array.from(shown, (row) =>
      MARK_ANSWERS.indexOf(wasDelayed(requests, row) ? "delayed" : answerTo(requests, row)),
    ),
    endUs: endUsOf(requests),
    leftOut: order.length - shown.length,
  };
}

function reasonOf(variant: Variant, history: History, row: number): RequestReason | null {
  const explanation = explainVariant(variant, history, [row]).get(row);
  if (explanation === undefined) return null;
  const { agrees, filledBy } = explanation;
  return {
    row,
    request: requestNames(history)(row),
    text: answerExplain(explanation)
      .filter(({ id }) => id !== "spec") // the page has a sentence of its own for it
      .map(({ text }) => text)
      .join(" "),
    agrees,
    filledBy: filledBy.slice(-MOST_FILLERS).map((each) => each.row),
  };
}
