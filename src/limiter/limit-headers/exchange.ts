// Requests and their responses in the order of sending; each request is sent after the previous response.
import type {
  AdvertisedBudget,
  AdvertisedTime,
  DialectId,
  DialectReading,
  ReceivedHeader,
} from "./advertised.ts";
import { readDialects } from "./dialects.ts";
import { parseHttpDate } from "./values.ts";

/** Times are Unix seconds with fractions, by the client's clock. */
export interface RecordedExchange {
  readonly sentS: number;
  readonly receivedS: number;
  readonly status: number;
  readonly headers: readonly ReceivedHeader[];
}

export interface JudgedExchange extends RecordedExchange {
  readonly index: number; // from 0
  readonly readings: readonly DialectReading[];
  /** `other`: an error that neither admits nor refuses, such as 401 or 500. */
  readonly outcome: "admitted" | "refused" | "other";
}

export function readExchange(recorded: RecordedExchange, index: number): JudgedExchange {
  const readings = readDialects(recorded.headers);
  return { ...recorded, index, readings, outcome: outcomeOf(recorded.status, readings.length > 0) };
}

/** 503 with headers about limits is a refusal, because some gateways refuse with 503. */
function outcomeOf(status: number, hasLimitHeaders: boolean): JudgedExchange["outcome"] {
  if (status === 429 || (status === 503 && hasLimitHeaders)) return "refused";
  if (status < 400) return "admitted";
  // A 404 of an upstream was admitted and has headers about limits; a 404 of the gateway itself has none.
  const isRejected = status >= 500 || status === 401 || status === 403 || status === 407;
  return hasLimitHeaders && !isRejected ? "admitted" : "other";
}

export const findReading = (
  { readings }: JudgedExchange,
  dialect: DialectId,
): DialectReading | undefined => readings.find((reading) => reading.dialect === dialect);

export interface Between {
  readonly fromS: number;
  readonly toS: number;
}

/** How many seconds the server's clock is ahead of the client's, at least and at most; 0 without a Date header. */
export function measureClock(exchanges: readonly JudgedExchange[]): Between {
  let [fromS, toS] = [-Infinity, Infinity];
  for (const { headers, sentS, receivedS } of exchanges) {
    const text = headers.find(([name]) => name.toLowerCase() === "date")?.[1];
    const date = text === undefined ? null : parseHttpDate(text.trim());
    if (date === null) continue;
    fromS = Math.max(fromS, date.unixS - receivedS);
    toS = Math.min(toS, date.unixS + 1 - sentS);
  }
  if (fromS === -Infinity) return { fromS: 0, toS: 0 };
  // If a server updates its Date a little late, `fromS` and `toS` are in the wrong order.
  return { fromS: Math.min(fromS, toS), toS: Math.max(fromS, toS) };
}

/** The earliest and the latest end of an advertised time, by the client's clock. */
export const endOf = (
  { isAbsolute, seconds }: AdvertisedTime,
  { sentS, receivedS }: RecordedExchange,
  clock: Between,
): Between =>
  isAbsolute
    ? { fromS: seconds - clock.toS, toS: seconds - clock.fromS }
    : { fromS: sentS + seconds, toS: receivedS + seconds };

/** The tightest budget: it has the fewest remaining, and of equal ones the latest reset. */
export function tightestBudget({ budgets }: DialectReading): AdvertisedBudget | null {
  const withCount = budgets.filter(({ remaining }) => remaining !== null);
  const [first, ...others] = withCount.length > 0 ? withCount : budgets;
  if (first === undefined) return null;
  return others.reduce((tightest, each) => {
    const fewer = (each.remaining ?? 0) - (tightest.remaining ?? 0);
    const isLater = (each.reset?.seconds ?? 0) > (tightest.reset?.seconds ?? 0);
    return fewer < 0 || (fewer === 0 && isLater) ? each : tightest;
  }, first);
}

/** How long a client waits after a refusal, by this dialect. */
export const waitOf = (reading: DialectReading): AdvertisedTime | null =>
  reading.dialect === "retry-after" ? reading.retryAfter : (tightestBudget(reading)?.reset ?? null);
