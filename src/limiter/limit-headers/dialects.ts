// Reads all dialects of a response. Adds the findings that one response alone can show.
import type { AdvertisedBudget, DialectReading, ReceivedHeader } from "./advertised.ts";
import { readDraft07, readDraft08 } from "./policies.ts";
import { readRetryAfter } from "./retry-after.ts";
import {
  readDraft03,
  readShopify,
  readSuffixed,
  readXRateLimit,
  readXRateLimitOfTwitter,
} from "./triples.ts";
import { addFinding } from "./values.ts";

const READERS = [
  readRetryAfter,
  readDraft08,
  readDraft07,
  readDraft03,
  readXRateLimit,
  readXRateLimitOfTwitter,
  readSuffixed,
  readShopify,
];

/** Each dialect of which the response has a header, with its values and findings. */
export const readDialects = (headers: readonly ReceivedHeader[]): readonly DialectReading[] =>
  READERS.flatMap((read) => {
    const reading = read(headers);
    return reading === null ? [] : [withRanges(reading)];
  });

function withRanges(reading: DialectReading): DialectReading {
  const findings = [...reading.findings];
  const header = reading.headers[0] ?? "";
  for (const budget of reading.budgets) {
    const range = rangeProblem(budget);
    if (range !== null) addFinding({ header, findings }, "LINT-RANGE", null, range);
  }
  return { ...reading, findings };
}

/** The most windows until a reset: a counter that weights the previous window is full again after two. */
const MOST_WINDOWS = 2;

function rangeProblem({
  limit,
  remaining,
  windowS,
  reset,
}: AdvertisedBudget): readonly [string, string] | null {
  if (limit !== null && remaining !== null && remaining > limit)
    return [
      `${remaining} remain of a limit of ${limit}`,
      "send a Remaining that is at most the limit",
    ];
  if (
    windowS !== null &&
    reset !== null &&
    !reset.isAbsolute &&
    reset.seconds > MOST_WINDOWS * windowS
  )
    return [
      `the reset is ${reset.seconds} s away, which is more than ${MOST_WINDOWS} windows of ${windowS} s`,
      "send the seconds until the reset, and the window in seconds",
    ];
  return null;
}
