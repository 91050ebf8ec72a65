// The responses to bursts, one after the other: for traffic whose order matters more than its time.
import { formatDuration, micros } from "../../../kit/units.ts";
import { answerTo } from "../../check/rejections.ts";
import { scenarioTimeUs, wasDelayed } from "../../check/select.ts";
import type { History } from "../../scenario/history.ts";
import type { AnswerRun, SequenceFigure } from "../model-figures.ts";

const MOST_RUNS = 160;

/** Null where there are too many runs to distinguish: such a history is better shown over time. */
export function sequenceFigure(history: History): SequenceFigure | null {
  const names = new Set(history.header.flows.map(({ name }) => name));
  const runs = [...names].flatMap((name) => runsOf(history, name));
  return runs.length === 0 || runs.length > MOST_RUNS
    ? null
    : { kind: "sequence", title: "answers in the order of sending", runs };
}

function runsOf(history: History, flow: string): readonly AnswerRun[] {
  const { requests, header } = history;
  const rows: number[] = [];
  for (let row = 0; row < requests.length; row++)
    if (header.flows[requests.flow[row]!]!.name === flow) rows.push(row);
  rows.sort((a, b) => requests.sentUs[a]! - requests.sentUs[b]! || a - b);
  const [first] = rows;
  if (first === undefined) return [];
  const name = `${flow}, from ${formatDuration(micros(scenarioTimeUs(requests, first)))}`;
  const runs: AnswerRun[] = [];
  for (const [index, row] of rows.entries()) {
    const status = requests.status[row]!;
    const answer = answerTo(requests, row);
    const isRejected = answer === "rejected";
    const isDelayed = wasDelayed(requests, row);
    const last = runs.at(-1);
    if (
      last?.status === status &&
      last.isRejected === isRejected &&
      (last.isDelayed ?? false) === isDelayed
    )
      runs[runs.length - 1] = { ...last, to: index + 1 };
    else {
      const run = { flow: name, from: index, to: index + 1, status, isRejected };
      runs.push(isDelayed ? { ...run, isDelayed } : run);
    }
  }
  return runs;
}
