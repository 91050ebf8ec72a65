// Reads the requests of logs into memory for a search.
import { isFailure, type Failure } from "../../kit/reading/failure.ts";
import type { LogSource } from "../replay/log-source.node.ts";
import {
  readLogs,
  type ReadingOutcome,
  type ReadingSize,
  type ReplayProgress,
} from "../replay/replay-logs.node.ts";
import type { LogQuestion } from "../replay/requests.ts";
import { LoggedTraffic } from "./traffic.ts";

export interface TrafficOutcome extends ReadingOutcome {
  readonly traffic: LoggedTraffic;
  readonly isWholeSeconds: boolean;
}

/** Reads the requests of logs. If the logs have to be read again, starts again with empty traffic. */
export async function readTraffic(
  sources: readonly LogSource[],
  question: LogQuestion,
  progress: ReplayProgress,
  size?: Partial<ReadingSize>,
): Promise<TrafficOutcome | Failure> {
  const hasLabels = (question.labels?.length ?? 0) > 0;
  let traffic = new LoggedTraffic(hasLabels);
  let isWholeSeconds = false;
  const outcome = await readLogs(
    sources,
    question,
    (isWhole) => {
      isWholeSeconds = isWhole;
      return (traffic = new LoggedTraffic(hasLabels));
    },
    { ...progress, isStopped: () => progress.isStopped() || traffic.isFull },
    size,
  );
  return isFailure(outcome) ? outcome : { ...outcome, traffic, isWholeSeconds };
}
