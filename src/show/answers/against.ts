// The answer of weir bench --against: whether this version differs from the other, and which change would have been
// found.
import { exactPercent, many } from "../../kit/reading/legible.ts";
import type { Answer, AnswerSentence } from "../../lab/report/answer.ts";
import { pairsFor } from "../../studies/bench/against/pair-verdicts.ts";
import type { AgainstResult } from "../../studies/bench/against/result.ts";
import { timeText } from "../../studies/bench/progress-line.ts";
import { busySentence, errorsSentence, gateWords, OTHER_COST } from "./bench-words.ts";
import { changeSentences } from "./changes.ts";
import { listWords } from "./words.ts";

export function answerAgainst(result: AgainstResult): Answer {
  const { gates, design, machine, stopped, pairs, footer } = result;
  return [
    ...changeSentences(
      gates.map((gate) => ({
        ...gate,
        what: gateWords(gate.cell, gate.metric),
        ratio: gate.evidence?.ratio ?? null,
        interval: gate.evidence?.interval ?? null,
        doubt: gate.why,
      })),
      {
        base: "the other one",
        head: "This version",
        minEffect: design.minEffect,
        likely: "likely",
        process: null,
        reach: reachOf(result),
        obstacle: null,
      },
    ),
    reachSentence(result),
    finerSentence(result),
    busySentence(machine.busy),
    errorsSentence(footer.errors, OTHER_COST),
    stopped === null
      ? null
      : {
          id: "stopped",
          text: `The run is incomplete, with ${many(pairs, "pair")}: ${stopped}.`,
          numbers: { pairs },
        },
  ].flatMap((sentence) => sentence ?? []);
}

/** The gate of which the run would have found only the largest change. */
function coarsestIn({ gates }: AgainstResult) {
  const [coarsest] = gates
    .flatMap((gate) => (gate.evidence === null ? [] : [{ gate, evidence: gate.evidence }]))
    .toSorted((a, b) => (a.evidence.least < b.evidence.least ? 1 : -1));
  return coarsest ?? null;
}

function reachOf(result: AgainstResult): number | null {
  const { least } = coarsestIn(result)?.evidence ?? { least: Number.POSITIVE_INFINITY };
  return Number.isFinite(least) ? least : null;
}

function reachSentence(result: AgainstResult): AnswerSentence | null {
  const coarsest = coarsestIn(result);
  if (coarsest === null) return null;
  const { cell, metric } = coarsest.gate;
  const { least } = coarsest.evidence;
  if (!Number.isFinite(least))
    return {
      id: "reach",
      text: `${many(result.pairs, "pair")} could have shown no change of any size.`,
      numbers: { pairs: result.pairs },
    };
  return {
    id: "reach",
    text: `A change of ${exactPercent(Number(least.toPrecision(2)))} would have been found 95 times of 100, in ${gateWords(cell, metric)} too.`,
    numbers: { least },
  };
}

/** Changes that a reader may want to find. Smaller changes also occur between two starts of equal code. */
const WANTED = [0.1, 0.05, 0.03] as const;

function finerSentence(result: AgainstResult): AnswerSentence | null {
  const coarsest = coarsestIn(result);
  if (coarsest === null || !Number.isFinite(coarsest.evidence.least)) return null;
  const finer = WANTED.filter((wanted) => wanted < coarsest.evidence.least).map((wanted) => ({
    wanted,
    pairs: Number(pairsFor(coarsest.evidence, wanted).toPrecision(2)),
  }));
  if (finer.length === 0) return null;
  return {
    id: "finer",
    text: `${listWords(finer.map(({ wanted, pairs }) => `${exactPercent(wanted)} would take about --pairs ${pairs}, ${timeText(pairs * result.secondsAPair)}`))}.`,
    numbers: Object.fromEntries(finer.map(({ wanted, pairs }) => [`pairs${100 * wanted}`, pairs])),
  };
}
