// One candidate of the core suite, in a process of its own: nanoseconds for a decision, or bytes for a key.
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import type { Algorithm } from "../../src/limiter/core/algorithms.ts";
import { readInput, printValue, processorMs } from "../program.node.ts";
import { bareMap, bareSlots } from "./bare.node.ts";
import { library } from "./library.node.ts";
import { weir, type WeirOptions } from "./weir.node.ts";
import { arriving, workload, type Size, type Subject, type Workload } from "./workload.node.ts";

export interface Input extends Size {
  readonly subject:
    | "weir"
    | "weir/core"
    | "weir with its clock"
    | "weir, the whole gateway"
    | "rate-limiter-flexible"
    | "express-rate-limit"
    | "@fastify/rate-limit"
    | "bare Map"
    | "bare Map and Date.now()"
    | "bare slots"
    | "bare slots and Date.now()";
  readonly algorithm?: Algorithm;
  readonly rate?: number;
  readonly sessionsKnown?: boolean;
  readonly measure: "time" | "bytes";
}

const now = (): number => Date.now();

async function subjectOf(input: Input, load: Workload): Promise<Subject> {
  const { subject, algorithm = "fixed_window", rate, sessionsKnown = false } = input;
  const options: WeirOptions = {
    algorithm,
    ...(rate === undefined ? {} : { rate }),
    readClock: null,
    wholeGateway: false,
    sessionsKnown,
  };
  // Other limiters are loaded only for their own candidates: otherwise their modules would be measured too.
  const peers =
    subject.startsWith("weir") || subject.startsWith("bare")
      ? null
      : await import("./peers.node.ts");
  switch (subject) {
    case "weir":
      return weir(load, options);
    case "weir/core":
      return library(load);
    case "weir with its clock":
      return weir(load, { ...options, readClock: now });
    case "weir, the whole gateway":
      return weir(load, { ...options, readClock: now, wholeGateway: true });
    case "rate-limiter-flexible":
      return peers!.rateLimiterFlexible(load);
    case "express-rate-limit":
      return peers!.expressRateLimit(load);
    case "@fastify/rate-limit":
      return peers!.fastifyRateLimit(load);
    case "bare Map":
      return bareMap(load, null);
    case "bare Map and Date.now()":
      return bareMap(load, now);
    case "bare slots":
      return bareSlots(load, null);
    case "bare slots and Date.now()":
      return bareSlots(load, now);
  }
}

/** The strings of these requests are created before the clock runs: few enough to be in the processor's cache. */
const BATCH = 4_096;

async function nsPerDecision(
  { decisions }: Input,
  load: Workload,
  subject: Subject,
): Promise<number> {
  let tookMs = 0;
  let admitted = 0;
  // As many again to warm up: by then every key is known and the compiler has settled.
  for (let first = 0; first < 2 * decisions;) {
    const isWarm = first >= decisions;
    const next = Math.min(first + BATCH, isWarm ? 2 * decisions : decisions);
    const requests = arriving(load, first, next);
    const startMs = processorMs();
    const passed = await subject.run(requests, first);
    if (isWarm) {
      tookMs += processorMs() - startMs;
      admitted += passed;
    }
    first = next;
  }
  if (admitted !== decisions) throw new Error(`${admitted} of ${decisions} were admitted`);
  return (tookMs * 1e6) / decisions;
}

/** The live memory after a collection, in the heap and in typed memory outside it. */
function bytesHeld(): number {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  collect();
  collect();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

async function bytesPerKey({ keys }: Input, load: Workload, subject: Subject): Promise<number> {
  const before = bytesHeld();
  const met = await subject.admitEveryKey();
  if (met !== keys) throw new Error(`${met} of ${keys} keys were met`);
  const after = bytesHeld();
  await subject.run(arriving(load, 0, 1), 0); // so that the measured memory is still in use
  return (after - before) / keys;
}

const input = readInput() as Input;
const load = workload(input);
const subject = await subjectOf(input, load);
const value = await (input.measure === "time" ? nsPerDecision : bytesPerKey)(input, load, subject);
printValue(value);
