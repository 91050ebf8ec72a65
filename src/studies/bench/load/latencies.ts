// Counts responses and their latencies.
import * as hdr from "hdr-histogram-js";
import {
  isAdmitted,
  REFUSED,
  type LoadFigures,
  type LoadProgress,
  type Quantiles,
} from "./load.ts";

/** Latencies in whole microseconds, to three digits. */
interface LatencyHistogram {
  readonly record: (us: number) => void;
  readonly p99Us: () => number | null;
  readonly quantiles: () => Quantiles | null; // null: nothing was recorded
  readonly encode: () => string | null; // null: nothing was recorded
}

export function createHistogram(): LatencyHistogram {
  const histogram = hdr.build({
    bitBucketSize: 32,
    lowestDiscernibleValue: 1,
    highestTrackableValue: 120_000_000,
    numberOfSignificantValueDigits: 3,
  });
  const at = (percentile: number): number => histogram.getValueAtPercentile(percentile);
  return {
    record: (us) => histogram.recordValue(Math.min(120_000_000, Math.max(0, Math.round(us)))),
    p99Us: () => (histogram.totalCount === 0 ? null : at(99)),
    quantiles: () =>
      histogram.totalCount === 0
        ? null
        : {
            count: histogram.totalCount,
            meanUs: histogram.mean,
            p50Us: at(50),
            p90Us: at(90),
            p99Us: at(99),
            p999Us: at(99.9),
            maxUs: histogram.maxValue,
          },
    encode: () => (histogram.totalCount === 0 ? null : hdr.encodeIntoCompressedBase64(histogram)),
  };
}

interface ResponseCounts {
  readonly count: (status: number) => void;
  readonly time: (status: number, us: number) => void;
  readonly progress: (unanswered: number) => LoadProgress;
  readonly figures: () => Pick<LoadFigures, "answers" | "statuses" | "latency" | "histogram">;
}

export function createResponseCounts(): ResponseCounts {
  const statuses: Record<string, number> = {};
  const all = createHistogram();
  const admitted = createHistogram();
  const refused = createHistogram();
  let answered = 0;
  let expected = 0;
  return {
    count: (status) => {
      answered++;
      if (status === REFUSED || isAdmitted(status)) expected++;
      statuses[status] = (statuses[status] ?? 0) + 1;
    },
    time: (status, us) => {
      all.record(us);
      if (status === REFUSED) refused.record(us);
      else if (isAdmitted(status)) admitted.record(us);
    },
    progress: (unanswered) => ({
      answers: answered,
      refused: statuses[REFUSED] ?? 0,
      errors: unanswered + answered - expected,
      p99Us: all.p99Us(),
    }),
    figures: () => ({
      answers: answered,
      statuses,
      latency: {
        all: all.quantiles(),
        admitted: admitted.quantiles(),
        refused: refused.quantiles(),
      },
      histogram: all.encode(),
    }),
  };
}
