// Runs all subjects at once: a gateway for each algorithm and store, and one load generator that waits for no response.
import { readFileSync, rmSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Pool } from "undici";
import { TRAITS } from "../../limiter/core/algorithms.ts";
import { micros, MILLISECOND, SECOND } from "../../kit/units.ts";
import { startOwnRedis } from "../../lab/drivers/own-redis.node.ts";
import { Stop, type EndReason, type BenchEnding } from "./ending.node.ts";
import { createHistogram } from "./load/latencies.ts";
import { isAdmitted, REFUSED, type Quantiles } from "./load/load.ts";
import type { TruthSuite } from "./read-truth.ts";
import { watchOthers } from "./resources/processes.node.ts";
import { openRedisProbe } from "./resources/redis.node.ts";
import { runFolder } from "./run-folder.node.ts";
import { startGateway, type BenchServer } from "./servers.node.ts";
import { inBuckets, mostInFlight, mostWithin, requestsInLog, type TruthRequest } from "./truth.ts";
import type { TruthBound, SubjectTruth, TruthSubject } from "./truth-schema.ts";
import { checkTruth } from "./truth-check.ts";
import { startClock, planLoad, sendLoad, type TruthKey } from "./truth-sending.node.ts";

interface TruthOrders {
  readonly suite: TruthSuite;
  readonly subjects: readonly TruthSubject[];
  readonly seed: number;
  readonly ending: BenchEnding;
  readonly weir: string; // the file of the command `weir`
  readonly boundOf: (subject: TruthSubject, inFlight: number) => TruthBound;
  readonly onProgress: (progress: {
    readonly answers: number;
    readonly secondsLeft: number;
  }) => void;
}

export interface TruthRun {
  readonly subjects: readonly SubjectTruth[];
  readonly late: Quantiles | null;
  readonly busy: string | null;
  readonly redis: string | null; // version of Redis
  readonly warnings: readonly string[];
  readonly stopped: EndReason | null;
}

interface RunningSubject {
  readonly subject: TruthSubject;
  readonly served: BenchServer;
  readonly log: string;
  readonly pool: Pool;
  readonly answers: TruthRequest[]; // `atUs` is the time of the response
  unanswered: number;
}

// Two keys with a limit each: the warm-up must not spend the budget of the measured key.
const MEASURED: TruthKey = { text: "truth", id: "client" };
const WARMING: TruthKey = { text: "before", id: "warming" };
const WARMING_US = micros(5 * SECOND);
const CONNECTIONS = 32;
const LONGEST_ANSWER_MS = 5_000;
const PROGRESS_MS = 1_000;
const LOG_WRITTEN_MS = 5_000; // the longest wait for the access log, which a gateway writes once a second

export async function runTruth(orders: TruthOrders): Promise<TruthRun> {
  const { suite, subjects, ending } = orders;
  const stops: (() => Promise<unknown>)[] = [];
  const folder = runFolder();
  try {
    const redis = subjects.some(({ store }) => store === "redis") ? await startOwnRedis() : null;
    if (redis !== null) stops.push(redis.stop);
    const about = redis === null ? null : await aboutRedis(redis.url);
    const start = async (subject: TruthSubject, number: number): Promise<RunningSubject> => {
      const log = join(folder, `${number}`, "access.log");
      const served = await startGateway(
        {
          name: subject.name,
          folder: join(folder, `${number}`),
          world: worldOf(subject, suite),
          upstream: "echo",
          weir: orders.weir,
          store: subject.store === "memory" ? null : { url: redis!.url, prefix: `truth${number}:` },
          log,
        },
        (child) => void stops.push(child.stop),
      ).catch((error: Error) => {
        throw new Stop({ how: "gone", why: error.message });
      });
      void served.exited.then((why) => ending.end({ how: "gone", why }));
      const queue = queueOf(subject, suite);
      const pool = new Pool(new URL(served.url).origin, {
        connections: CONNECTIONS + queue.places,
        headersTimeout: LONGEST_ANSWER_MS + queue.longestMs,
        bodyTimeout: LONGEST_ANSWER_MS,
      });
      stops.push(() => pool.destroy());
      return { subject, served, log, pool, answers: [], unanswered: 0 };
    };
    const started: RunningSubject[] = [];
    const together = availableParallelism();
    while (started.length < subjects.length) {
      const first = started.length;
      const some = subjects.slice(first, first + together);
      const starting = some.map((subject, at) => start(subject, first + at));
      started.push(...(await ending.orEnd(Promise.all(starting))));
    }
    await warmUp(orders, started);
    return await measure(orders, started, about);
  } catch (error) {
    if (!(error instanceof Stop)) throw error;
    return {
      subjects: [],
      late: null,
      busy: null,
      redis: null,
      warnings: [],
      stopped: error.reason,
    };
  } finally {
    await Promise.all(stops.map((stop) => stop()));
    rmSync(folder, { recursive: true });
  }
}

/** The places of a queue and its longest wait. Each place needs a connection, or other requests are sent late. */
const queueOf = ({ algorithm, rate }: TruthSubject, { perUs }: TruthSuite) =>
  TRAITS[algorithm].delays
    ? { places: rate + 1, longestMs: perUs / MILLISECOND }
    : { places: 0, longestMs: 0 };

/** The world of a gateway: two keys with their limits. A burst and a queue are as large as the rate of one window. */
const worldOf = ({ algorithm, rate }: TruthSubject, { perUs }: TruthSuite): unknown => ({
  apis: { orders: { listen: "/orders" } },
  keys: Object.fromEntries(
    [MEASURED, WARMING].map(({ text, id }) => [
      text,
      { key_id: id, apis: ["orders"], rate, per: perUs / SECOND },
    ]),
  ),
  // The store may take as long as a whole response: after a shorter timeout the gateway would enforce another limit.
  gateway: { algorithm, burst: "rate", queue: "rate", store_timeout: LONGEST_ANSWER_MS / 1_000 },
});

interface AboutRedis {
  readonly pid: number | null;
  readonly version: string | null;
}

async function aboutRedis(url: string): Promise<AboutRedis> {
  const probe = await openRedisProbe(url);
  const about = { pid: await probe.pid(), version: await probe.version() };
  probe.close();
  return about;
}

/**
 * Warms up the gateways. Their first requests take many times as long as later ones: they would delay the load
 * generator, and put more requests in flight than planned.
 */
const warmUp = (
  { suite, seed, ending }: TruthOrders,
  running: readonly RunningSubject[],
): Promise<void> =>
  sendLoad({
    targets: running,
    plan: planLoad({ ...suite, lastsUs: WARMING_US }, running.length, seed),
    clock: startClock(),
    key: WARMING,
    ending,
    onResponse: () => {},
  });

async function measure(
  orders: TruthOrders,
  running: readonly RunningSubject[],
  redis: AboutRedis | null,
): Promise<TruthRun> {
  const { suite, seed, ending, onProgress } = orders;
  const pids = [process.pid, redis?.pid ?? null, ...running.map(({ served }) => served.pid)];
  const others = await watchOthers(pids);
  const plan = planLoad(suite, running.length, seed);
  const late = createHistogram();
  const clock = startClock();
  const reporting = setInterval(() => {
    const answers = running.reduce((sum, one) => sum + one.answers.length, 0);
    onProgress({ answers, secondsLeft: (suite.lastsUs - clock.nowUs()) / SECOND });
  }, PROGRESS_MS);
  let stopped: EndReason | null = null;
  let lastedUs: number = suite.lastsUs;
  try {
    await sendLoad({
      targets: running,
      plan,
      clock,
      key: MEASURED,
      ending,
      onResponse: (one, { plannedUs, sentUs, status }) => {
        const atUs = clock.nowUs();
        late.record(sentUs - plannedUs);
        if (status === null) one.unanswered++;
        else one.answers.push({ atUs, tookUs: atUs - sentUs, status, delayUs: 0 });
      },
    });
  } catch (error) {
    if (!(error instanceof Stop)) throw error;
    stopped = error.reason;
    lastedUs = clock.nowUs();
  } finally {
    clearInterval(reporting);
  }
  const busy = await others.busyReason();
  const warnings: string[] = [];
  const subjects: SubjectTruth[] = [];
  for (const one of running) {
    const checked = await checkSubject(
      one,
      orders,
      clock.startUs,
      micros(Math.floor(Math.min(lastedUs, suite.lastsUs))),
    );
    subjects.push(checked.truth);
    if (checked.missing > 0)
      warnings.push(`the log of ${one.subject.name} lacks ${checked.missing} of its responses`);
  }
  return {
    subjects,
    late: late.quantiles(),
    busy,
    redis: redis?.version ?? null,
    warnings,
    stopped,
  };
}

async function checkSubject(
  { subject, log, answers, unanswered }: RunningSubject,
  { suite, boundOf }: TruthOrders,
  startUs: number,
  lastedUs: ReturnType<typeof micros>,
): Promise<{ readonly truth: SubjectTruth; readonly missing: number }> {
  const read = () => requestsInLog(readFileSync(log, "utf8"), MEASURED.id, startUs);
  let logged = read();
  for (
    let waitedMs = 0;
    logged.length < answers.length && waitedMs < LOG_WRITTEN_MS;
    waitedMs += 200
  ) {
    await sleep(200);
    logged = read();
  }
  const buckets = (by: readonly TruthRequest[]) => inBuckets(by, suite, lastedUs, suite.bucketsUs);
  const admitted = answers.filter(({ status }) => isAdmitted(status)).length;
  const refused = answers.filter(({ status }) => status === REFUSED).length;
  // Only admitted requests in flight can raise the number of admitted ones.
  const inFlight = mostInFlight(
    subject.algorithm,
    logged.filter(({ status }) => isAdmitted(status)),
  );
  const bound = boundOf(subject, inFlight);
  const lengthsUs = [...suite.bucketsUs.filter((us) => us <= lastedUs), lastedUs];
  const { lengths, tooSoon, faults } = checkTruth(subject, suite, logged, lengthsUs, bound);
  return {
    missing: Math.max(0, answers.length - logged.length),
    truth: {
      ...subject,
      answers: answers.length,
      admitted,
      errors: unanswered + answers.length - admitted - refused,
      byGateway: buckets(logged),
      bySender: buckets(answers),
      most: mostWithin(logged, suite.perUs),
      inFlight,
      bound,
      lengths,
      tooSoon,
      faults,
      verdict: faults.length === 0 ? "within" : "outside",
    },
  };
}
