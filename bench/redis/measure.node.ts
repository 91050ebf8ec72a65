// One candidate of the suite redis-store: decisions over a Redis of its own, in a closed loop with a fixed number in
// flight. The value is decisions a second, the slowest hundredth, the time that both sides spend, or bytes.
import { Redis } from "ioredis";
import { RateLimiterRedis } from "rate-limiter-flexible";
import { client } from "../../src/limiter/core/client.ts";
import type { Algorithm } from "../../src/limiter/core/algorithms.ts";
import { hasFailed, type Level } from "../../src/limiter/core/store.ts";
import { micros, SECOND } from "../../src/kit/units.ts";
import { wallClock, turnClock } from "../../src/gateway/http/wall-clock.node.ts";
import { redisStore } from "../../src/limiter/store/redis.node.ts";
import { startRedis } from "../../test/redis/server.ts";
import { level } from "../../test/limiter/store/budgets.ts";
import { readInput, printValue } from "../program.node.ts";

export interface Input {
  readonly subject: Algorithm | "rate-limiter-flexible" | "one EVALSHA a decision";
  readonly inFlight: number;
  readonly keys: number;
  readonly rate: number; // a minute, for each key
  readonly seconds: number;
  readonly figure: "perSecond" | "p99Ms" | "busierUs" | "bytes";
}

const PER_S = 60;

type Decide = (identity: string, done: (passes: boolean) => void) => void;

interface Subject {
  readonly decide: Decide;
  readonly isRefusing: boolean; // requests over the rate are part of the measurement
  readonly close: () => Promise<unknown> | void;
}

async function ours(url: string, algorithm: Algorithm, { rate, keys }: Input): Promise<Subject> {
  const store = redisStore({ url });
  const why = await store.connect(5_000);
  if (why !== null) throw new Error(why);
  const levels: readonly Level[] = [level(algorithm, { rate, per: PER_S })];
  const clients = new Map(identities(keys).map((identity) => [identity, client(identity)]));
  const now = turnClock(wallClock);
  return {
    isRefusing: algorithm.endsWith("log"),
    close: () => store.close(),
    decide: (identity, done) => {
      const op = {
        op: "take",
        levels,
        client: clients.get(identity)!,
        atUs: now(),
        intent: "spend",
        units: 1,
      } as const;
      store.send(op, micros(10 * SECOND), (answer) => {
        if (hasFailed(answer)) throw new Error(`the store has failed: ${answer.failed}`);
        done(answer.refusedBy < 0);
      });
    },
  };
}

/** The smallest cost of one call for each decision: a counter with an expiry. */
const COUNTER = `local count = redis.call('INCR', KEYS[1])
if count == 1 then redis.call('PEXPIRE', KEYS[1], ARGV[2]) end
return count <= tonumber(ARGV[1]) and 1 or 0`;

async function plain(url: string, { rate }: Input): Promise<Subject> {
  const redis = new Redis(url);
  const sha = String(await redis.script("LOAD", COUNTER));
  return {
    isRefusing: false,
    close: () => redis.disconnect(),
    decide: (identity, done) =>
      void redis.evalsha(sha, 1, identity, rate, PER_S * 1_000, (error, passes) => {
        if (error) throw error;
        done(passes === 1);
      }),
  };
}

function flexible(url: string, { rate }: Input): Subject {
  const redis = new Redis(url);
  const limiter = new RateLimiterRedis({ storeClient: redis, points: rate, duration: PER_S });
  const decide = async (identity: string, done: (passes: boolean) => void): Promise<void> => {
    let passes = true;
    try {
      await limiter.consume(identity);
    } catch (refusal) {
      if (refusal instanceof Error) throw refusal;
      passes = false;
    }
    done(passes);
  };
  return {
    isRefusing: false,
    close: () => redis.disconnect(),
    decide: (identity, done) => void decide(identity, done),
  };
}

const identities = (keys: number): readonly string[] =>
  Array.from({ length: keys }, (_, i) => `key:${i}`);

const subjectOf = async (url: string, input: Input): Promise<Subject> =>
  input.subject === "rate-limiter-flexible"
    ? flexible(url, input)
    : input.subject === "one EVALSHA a decision"
      ? plain(url, input)
      : ours(url, input.subject, input);

interface Loop {
  readonly decisions: number;
  readonly tookMs: number;
  readonly waitsMs: readonly number[];
}

/** Keys in turn, by a step that reaches all of them and never two neighbours in a row. */
const STEP = 7_919;

function loop({ decide, isRefusing }: Subject, input: Input, seconds: number): Promise<Loop> {
  const all = identities(input.keys);
  const start = performance.now();
  const waitsMs: number[] = [];
  let sent = 0;
  let under = 0;
  return new Promise((resolve) => {
    const next = (): void => {
      const sentMs = performance.now();
      under++;
      decide(all[(sent++ * STEP) % all.length]!, (passes) => {
        if (!passes && !isRefusing) throw new Error("the rate was reached");
        under--;
        const nowMs = performance.now();
        waitsMs.push(nowMs - sentMs);
        if (nowMs - start < seconds * 1_000) next();
        else if (under === 0) resolve({ decisions: sent, tookMs: nowMs - start, waitsMs });
      });
    };
    for (let i = 0; i < input.inFlight; i++) next();
  });
}

async function serverUs(redis: Redis): Promise<number> {
  const info = await redis.info("cpu");
  const seconds = (name: string): number =>
    Number(new RegExp(`used_cpu_${name}:([\\d.]+)`).exec(info)?.[1]);
  return (seconds("sys") + seconds("user")) * SECOND;
}

/** The memory of a log for one attempt, including its key. */
async function bytesAnAttempt(redis: Redis, attempts: number): Promise<number> {
  const [, keys] = await redis.scan("0", "COUNT", 1_000_000);
  let bytes = 0;
  for (const key of keys) bytes += Number(await redis.memory("USAGE", key, "SAMPLES", 0));
  return bytes / attempts;
}

/** The log of the specification has every attempt, also refused ones. */
const attemptsHeld = ({ subject, keys, rate }: Input, decisions: number): number =>
  subject === "bounded_log" ? Math.min(decisions, keys * rate) : decisions;

async function measure(input: Input): Promise<Readonly<Record<Input["figure"], number>>> {
  const server = await startRedis();
  const subject = await subjectOf(server.url, input);
  const redis = new Redis(server.port);
  try {
    await loop(subject, input, input.seconds / 2);
    await redis.flushall();
    const [before, clientBefore] = [await serverUs(redis), process.cpuUsage()];
    const { decisions, tookMs, waitsMs } = await loop(subject, input, input.seconds);
    const spent = process.cpuUsage(clientBefore);
    const clientUs = (spent.user + spent.system) / decisions;
    const redisUs = ((await serverUs(redis)) - before) / decisions;
    return {
      perSecond: decisions / (tookMs / 1_000),
      p99Ms: waitsMs.toSorted((a, b) => a - b)[Math.floor(waitsMs.length * 0.99)]!,
      busierUs: Math.max(clientUs, redisUs),
      bytes: await bytesAnAttempt(redis, attemptsHeld(input, decisions)),
    };
  } finally {
    await subject.close();
    redis.disconnect();
    await server.stop();
  }
}

const input = readInput() as Input;
printValue((await measure(input))[input.figure]);
