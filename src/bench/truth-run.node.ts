// All at once: a gateway for each algorithm and store, and one sender that waits for none of them.
import { readFileSync, rmSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Pool } from "undici";
import { micros, SECOND } from "../core/units.ts";
import { startOwnRedis } from "../drivers/own-redis.node.ts";
import { Stop, type Ended, type Ending } from "./ending.node.ts";
import { quantiled } from "./load/latencies.ts";
import { isAdmitted, REFUSED, type Quantiles } from "./load/load.ts";
import type { TruthSuite } from "./read-truth.ts";
import { watchOthers } from "./resources/processes.node.ts";
import { askRedis } from "./resources/redis.node.ts";
import { runFolder } from "./run-folder.node.ts";
import { startGateway, type Served } from "./served.node.ts";
import {
  inBuckets,
  mostTogether,
  mostWithin,
  requestsInLog,
  type Request,
  type StatedBound,
  type TruthOf,
  type TruthSubject,
} from "./truth.ts";
import { judged } from "./truth-judge.ts";
import { clockFromNow, plannedFor, sent, type Key } from "./truth-sending.node.ts";

export interface TruthOrders {
  readonly suite: TruthSuite;
  readonly subjects: readonly TruthSubject[];
  readonly seed: number;
  readonly ending: Ending;
  readonly weir: string; // the file of the command that serves
  readonly boundOf: (subject: TruthSubject, inFlight: number) => StatedBound;
  readonly heard: (said: { readonly answers: number; readonly secondsLeft: number }) => void;
}

export interface TruthRan {
  readonly subjects: readonly TruthOf[];
  readonly late: Quantiles | null;
  readonly busy: string | null;
  readonly redis: string | null; // its version
  readonly warnings: readonly string[];
  readonly stopped: Ended | null;
}

interface Asked {
  readonly subject: TruthSubject;
  readonly served: Served;
  readonly log: string;
  readonly pool: Pool;
  readonly answers: Request[]; // by the time at which they were there
  unanswered: number;
}

// A limit each: what warms a gateway up takes nothing from the key that is judged.
const JUDGED: Key = { text: "truth", id: "client" };
const WARMING: Key = { text: "before", id: "warming" };
const WARMING_US = micros(5 * SECOND);
const CONNECTIONS = 32;
const LONGEST_ANSWER_MS = 5_000;
const LOOK_MS = 1_000;
const LOG_WRITTEN_MS = 5_000; // a log is written once a second

export async function runTruth(orders: TruthOrders): Promise<TruthRan> {
  const { suite, subjects, ending } = orders;
  const stops: (() => Promise<unknown>)[] = [];
  const folder = runFolder();
  let starting: readonly Promise<Asked>[] = [];
  try {
    const redis = subjects.some(({ store }) => store === "redis") ? await startOwnRedis() : null;
    if (redis !== null) stops.push(redis.stop);
    const about = redis === null ? null : await aboutRedis(redis.url);
    const start = async (subject: TruthSubject, number: number): Promise<Asked> => {
      const log = join(folder, `${number}`, "access.log");
      const served = await startGateway({
        name: subject.name,
        folder: join(folder, `${number}`),
        world: worldOf(subject, suite),
        upstream: "echo",
        weir: orders.weir,
        store: subject.store === "memory" ? null : { url: redis!.url, prefix: `truth${number}:` },
        log,
      }).catch((error: Error) => {
        throw new Stop({ how: "gone", why: error.message });
      });
      stops.push(served.stop);
      void served.gone.then((why) => ending.end({ how: "gone", why }));
      const pool = new Pool(new URL(served.url).origin, {
        connections: CONNECTIONS,
        headersTimeout: LONGEST_ANSWER_MS,
        bodyTimeout: LONGEST_ANSWER_MS,
      });
      stops.push(() => pool.destroy());
      return { subject, served, log, pool, answers: [], unanswered: 0 };
    };
    const asked: Asked[] = [];
    const together = availableParallelism();
    while (asked.length < subjects.length) {
      const first = asked.length;
      const some = subjects.slice(first, first + together);
      starting = some.map((subject, at) => start(subject, first + at));
      asked.push(...(await ending.orEnd(Promise.all(starting))));
    }
    await warmedUp(orders, asked);
    return await played(orders, asked, about);
  } catch (error) {
    if (!(error instanceof Stop)) throw error;
    return {
      subjects: [],
      late: null,
      busy: null,
      redis: null,
      warnings: [],
      stopped: error.ended,
    };
  } finally {
    // What is half started is known only when it has started, or has failed to.
    await Promise.allSettled(starting);
    await Promise.all(stops.map((stop) => stop()));
    rmSync(folder, { recursive: true });
  }
}

/** Its keys with their limits, and nothing else. A bucket and a cell hold a window's worth. */
const worldOf = ({ algorithm, rate }: TruthSubject, { perUs }: TruthSuite): unknown => ({
  apis: { orders: { listen: "/orders" } },
  keys: Object.fromEntries(
    [JUDGED, WARMING].map(({ text, id }) => [
      text,
      { key_id: id, apis: ["orders"], rate, per: perUs / SECOND },
    ]),
  ),
  // A store that is waited for in vain is another matter: what is counted without it is another limit.
  gateway: { algorithm, burst: "rate", store_timeout: LONGEST_ANSWER_MS / 1_000 },
});

interface AboutRedis {
  readonly pid: number | null;
  readonly version: string | null;
}

async function aboutRedis(url: string): Promise<AboutRedis> {
  const asked = await askRedis(url);
  const about = { pid: await asked.pid(), version: await asked.version() };
  asked.close();
  return about;
}

/**
 * A gateway's first requests take many times as long as those that follow: they keep the sender from its times, and
 * put more under way together than the load is meant to.
 */
const warmedUp = ({ suite, seed, ending }: TruthOrders, asked: readonly Asked[]): Promise<void> =>
  sent({
    asked,
    plan: plannedFor({ ...suite, lastsUs: WARMING_US }, asked.length, seed),
    clock: clockFromNow(),
    key: WARMING,
    ending,
    heard: () => {},
  });

async function played(
  orders: TruthOrders,
  asked: readonly Asked[],
  redis: AboutRedis | null,
): Promise<TruthRan> {
  const { suite, seed, ending, heard } = orders;
  const pids = [process.pid, redis?.pid ?? null, ...asked.map(({ served }) => served.pid)];
  const others = await watchOthers(pids);
  const plan = plannedFor(suite, asked.length, seed);
  const late = quantiled();
  const clock = clockFromNow();
  const telling = setInterval(() => {
    const answers = asked.reduce((sum, one) => sum + one.answers.length, 0);
    heard({ answers, secondsLeft: (suite.lastsUs - clock.nowUs()) / SECOND });
  }, LOOK_MS);
  let stopped: Ended | null = null;
  let lastedUs: number = suite.lastsUs;
  try {
    await sent({
      asked,
      plan,
      clock,
      key: JUDGED,
      ending,
      heard: (one, { plannedUs, sentUs, status }) => {
        const atUs = clock.nowUs();
        late.note(sentUs - plannedUs);
        if (status === null) one.unanswered++;
        else one.answers.push({ atUs, tookUs: atUs - sentUs, status });
      },
    });
  } catch (error) {
    if (!(error instanceof Stop)) throw error;
    stopped = error.ended;
    lastedUs = clock.nowUs();
  } finally {
    clearInterval(telling);
  }
  const busy = await others.told();
  const warnings: string[] = [];
  const subjects: TruthOf[] = [];
  for (const one of asked) {
    const judged = await judge(
      one,
      orders,
      clock.startUs,
      micros(Math.floor(Math.min(lastedUs, suite.lastsUs))),
    );
    subjects.push(judged.truth);
    if (judged.missing > 0)
      warnings.push(`the log of ${one.subject.name} lacks ${judged.missing} of its answers`);
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

async function judge(
  { subject, log, answers, unanswered }: Asked,
  { suite, boundOf }: TruthOrders,
  startUs: number,
  lastedUs: ReturnType<typeof micros>,
): Promise<{ readonly truth: TruthOf; readonly missing: number }> {
  const read = () => requestsInLog(readFileSync(log, "utf8"), JUDGED.id, startUs);
  let told = read();
  for (
    let waitedMs = 0;
    told.length < answers.length && waitedMs < LOG_WRITTEN_MS;
    waitedMs += 200
  ) {
    await sleep(200);
    told = read();
  }
  const buckets = (by: readonly Request[]) => inBuckets(by, suite, lastedUs, suite.bucketsUs);
  const admitted = answers.filter(({ status }) => isAdmitted(status)).length;
  const refused = answers.filter(({ status }) => status === REFUSED).length;
  // Who was refused has let nobody else in.
  const inFlight = mostTogether(
    subject.algorithm,
    told.filter(({ status }) => isAdmitted(status)),
  );
  const bound = boundOf(subject, inFlight);
  const lengthsUs = [...suite.bucketsUs.filter((us) => us <= lastedUs), lastedUs];
  const { lengths, tooSoon, faults } = judged(subject, suite, told, lengthsUs, bound);
  return {
    missing: Math.max(0, answers.length - told.length),
    truth: {
      ...subject,
      answers: answers.length,
      admitted,
      errors: unanswered + answers.length - admitted - refused,
      byGateway: buckets(told),
      bySender: buckets(answers),
      most: mostWithin(told, suite.perUs),
      inFlight,
      bound,
      lengths,
      tooSoon,
      faults,
      verdict: faults.length === 0 ? "within" : "outside",
    },
  };
}
