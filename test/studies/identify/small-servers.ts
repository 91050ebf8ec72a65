// Ten servers with a limit of their own each, with numbers that no table has: what identification finds of them is a test.
import type { RequestListener } from "node:http";

/** Decides one request at a time, in milliseconds of a clock that starts anywhere. */
type Decide = (nowMs: number) => boolean;

/** `capacity` per window, which begins with the first request after the one before. */
function windowFromFirst(capacity: number, windowMs: number): Decide {
  let [endMs, count] = [-Infinity, 0];
  return (nowMs) => {
    if (nowMs >= endMs) [endMs, count] = [nowMs + windowMs, 0];
    return ++count <= capacity;
  };
}

function windowOfClock(capacity: number, windowMs: number): Decide {
  let [window, count] = [-1, 0];
  return (nowMs) => {
    const current = Math.floor(nowMs / windowMs);
    if (current !== window) [window, count] = [current, 0];
    return ++count <= capacity;
  };
}

function log(capacity: number, windowMs: number, counts: "admitted" | "attempts"): Decide {
  let times: number[] = [];
  return (nowMs) => {
    times = times.filter((each) => each > nowMs - windowMs);
    const isAdmitted = times.length < capacity;
    if (isAdmitted || counts === "attempts") times.push(nowMs);
    return isAdmitted;
  };
}

function bucket(capacity: number, perSecond: number): Decide {
  let [tokens, latestMs] = [capacity, Number.NaN];
  return (nowMs) => {
    const gained = Number.isNaN(latestMs) ? 0 : ((nowMs - latestMs) * perSecond) / 1_000;
    [tokens, latestMs] = [Math.min(capacity, tokens + gained), nowMs];
    if (tokens < 1) return false;
    tokens--;
    return true;
  };
}

/** The cell rate algorithm, by the time at which the next request would be due. */
function gcra(burst: number, perSecond: number): Decide {
  const intervalMs = 1_000 / perSecond;
  let dueMs = 0;
  return (nowMs) => {
    const startMs = Math.max(dueMs, nowMs);
    if (startMs - nowMs > (burst - 1) * intervalMs) return false;
    dueMs = startMs + intervalMs;
    return true;
  };
}

/** Two windows at once: a request that one refuses spends nothing of the other, and opens none. */
function twoWindows(...limits: readonly (readonly [capacity: number, windowMs: number])[]): Decide {
  const windows = limits.map(([capacity, windowMs]) => ({
    capacity,
    windowMs,
    endMs: -Infinity,
    count: 0,
  }));
  return (nowMs) => {
    if (windows.some(({ endMs, count, capacity }) => nowMs < endMs && count >= capacity))
      return false;
    for (const each of windows) {
      if (nowMs >= each.endMs) Object.assign(each, { endMs: nowMs + each.windowMs, count: 0 });
      each.count++;
    }
    return true;
  };
}

/** The first request beyond the limit begins a time in which all are refused. */
function pauseAfterRefusal(decide: Decide, blockMs: number): Decide {
  let untilMs = -Infinity;
  return (nowMs) => {
    if (nowMs < untilMs) return false;
    if (decide(nowMs)) return true;
    untilMs = nowMs + blockMs;
    return false;
  };
}

const respondWith =
  (decide: Decide): RequestListener =>
  (_request, response) =>
    void response.writeHead(decide(performance.timeOrigin + performance.now()) ? 200 : 429).end();

function inFlight(most: number, workMs: number): RequestListener {
  let running = 0;
  return (_request, response) => {
    if (running >= most) return void response.writeHead(429).end();
    running++;
    setTimeout(() => {
      running--;
      response.writeHead(200).end();
    }, workMs);
  };
}

export interface SmallServer {
  readonly title: string;
  readonly listener: () => RequestListener;
  readonly expected: Readonly<Record<string, unknown>>; // of the document, where it is named
}

const server = (
  title: string,
  listener: () => RequestListener,
  expected: SmallServer["expected"],
): SmallServer => ({ title, listener, expected });

const deciding = (
  title: string,
  createDecide: () => Decide,
  expected: SmallServer["expected"],
): SmallServer => server(title, () => respondWith(createDecide()), expected);

export const SMALL_SERVERS: readonly SmallServer[] = [
  deciding("7 per 3.3 s from a first request", () => windowFromFirst(7, 3_300), {
    behaviour: "window",
    numbers: "7 per 3.3s",
  }),
  deciding("log of admitted requests, 13 per 7 s", () => log(13, 7_000, "admitted"), {
    behaviour: "free_log",
    numbers: "13 per 7s",
  }),
  deciding("bucket of 15, 5 per 2 s", () => bucket(15, 2.5), {
    behaviour: "bucket",
    numbers: "15 at once, and one more every 400ms",
  }),
  deciding("10 per 10 s of the clock", () => windowOfClock(10, 10_000), {
    behaviour: "clock_window",
    numbers: "10 per 10s",
  }),
  deciding("log of attempts, 6 per 5 s", () => log(6, 5_000, "attempts"), {
    behaviour: "log",
    numbers: "6 per 5s",
  }),
  deciding("5 per s and 20 per 30 s", () => twoWindows([5, 1_000], [20, 30_000]), {
    behaviour: "window",
    capacity: 5,
    spanUs: 1_000_000,
    second: { capacity: 20, spanUs: 30_000_000 },
  }),
  server("3 in flight, 200 ms each", () => inFlight(3, 200), {
    behaviour: "in_flight",
    capacity: 3,
  }),
  deciding("10 % at random", () => () => Math.random() >= 0.1, { behaviour: "chance" }),
  deciding(
    "8 per 2 s, then blocked for 12 s",
    () => pauseAfterRefusal(windowFromFirst(8, 2_000), 12_000),
    {
      behaviour: "window",
      capacity: 8,
      spanUs: 2_000_000,
      pauseUs: 12_000_000,
    },
  ),
  deciding("GCRA, 5 per s, burst 3", () => gcra(3, 5), {
    behaviour: "bucket",
    numbers: "3 at once, and one more every 200ms",
  }),
];
