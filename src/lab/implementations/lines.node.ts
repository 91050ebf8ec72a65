// A limiter that runs as a program: each line of input is a JSON object, and the program replies with one line, in the
// same order. docs/reference/implementation-manifest.md has the protocol for authors of such programs.
import type { Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { record } from "../../kit/reading/record.ts";
import {
  anyNumber,
  isJsonMap,
  listOf,
  mandatory,
  mapOf,
  numberFrom,
  oneOf,
  optional,
  text,
  wholeNumber,
  yesOrNo,
  type Json,
  type Shape,
  type Values,
} from "../../kit/reading/shape.ts";
import type { Problem } from "../../kit/reading/problems.ts";
import { Failure } from "../../kit/reading/failure.ts";
import { CLOCKS } from "./manifest.ts";
import type { Program } from "./process.node.ts";

const description = {
  protocol: mandatory(wholeNumber(1, 1), "The version of the protocol."),
  id: mandatory(text, "The limiter's name."),
  version: mandatory(text, "Its version, as it knows it."),
  clock: mandatory(oneOf(CLOCKS), "Whose time it decides by."),
  cost: optional(yesOrNo, false, "Whether a request can have a cost."),
};
type Description = Values<typeof description>;

const decision = {
  admitted: mandatory(yesOrNo, "Whether the request is admitted."),
  at_us: optional(numberFrom(0), null, "Of a real clock: when it decided."),
  retry_after_us: optional(numberFrom(0), null, "How long a refused request has to wait."),
  delay_us: optional(numberFrom(0), null, "How long an admitted request has to wait for its turn."),
  limit: optional(anyNumber, null, "The limit that it reports."),
  remaining: optional(anyNumber, null, "What it reports to remain."),
  reset_us: optional(anyNumber, null, "When it reports the budget to be whole again, since 1970."),
  headers: optional(mapOf(text), {}, "Headers of a middleware, as they are."),
};
export type LineDecision = Values<typeof decision>;

const descriptionShape = record("a description", description);
const decisionShape = record("a decision", decision);
const configuredShape = record("an answer to configure", {
  ok: optional(yesOrNo, false, "True: it enforces these limits."),
  cannot: optional(listOf(text), [], "Why it cannot."),
});

export interface LineLimit {
  readonly limit: number;
  readonly per_us: number;
  readonly burst: number; // requests admitted at one instant
}

interface LineQuestion {
  readonly limitIndex: number; // index in the configured limits
  readonly key: string;
  readonly cost: number;
  readonly atUs: number;
}

export interface LineLimiter {
  readonly describe: () => Promise<Description>;
  /** Starts with fresh state. A failure has sentences that explain why the limiter cannot enforce the limits. */
  readonly configure: (limits: readonly LineLimit[], atUs: number) => Promise<null | Failure>;
  /** Replaces the limits and retains the state. */
  readonly change: (limits: readonly LineLimit[], atUs: number) => Promise<null | Failure>;
  readonly decide: (question: LineQuestion) => Promise<LineDecision>;
  readonly stop: () => Promise<void>;
}

/** Longer than any reply takes: a program silent for this long hangs. */
const SILENCE_MS = 30_000;
const LONGEST_LINE = 65_536;

/** How long to wait, after the program ended, for its last output. */
const LAST_LINES_MS = 200;

/** Thrown if the limiter reports an error: an error is never recorded as a refusal. */
export class LimiterError extends Error {}

/** Each question gets one line, in the order of the questions: an extra line is an error, and so is a missing line. */
export function lineLimiter(
  name: string,
  program: Program,
  silenceMs: number = SILENCE_MS,
): LineLimiter {
  const waiting: {
    readonly resolve: (line: string) => void;
    readonly reject: (error: Error) => void;
  }[] = [];
  let lost: Error | null = null;
  let last = "";
  const fail = (error: Error): void => {
    lost ??= error;
    for (const { reject } of waiting.splice(0)) reject(lost);
  };
  const closed = readLines(program.stdout, {
    line: (line) => {
      const next = waiting.shift();
      if (next === undefined)
        fail(new Error(`${name} wrote a line without a question after ${last}: ${shorten(line)}`));
      else next.resolve(line);
    },
    tooLong: () =>
      fail(
        new Error(
          `${name} answered ${last} by more than ${LONGEST_LINE} letters without the end of a line`,
        ),
      ),
  });
  const brief = (): Promise<void> => sleep(LAST_LINES_MS, undefined, { ref: false });
  const watchOutput = async (): Promise<void> => {
    await closed;
    await brief(); // a program that ended has a reason, which makes a better message
    fail(new Error(`${name} closed its output, and ${last} has no answer`));
  };
  const watchEnd = async (): Promise<void> => {
    try {
      const why = await program.exited;
      await Promise.race([closed, brief()]);
      fail(new Error(why));
    } catch (error) {
      fail(error instanceof Error ? error : new Error(String(error)));
    }
  };
  void watchOutput();
  void watchEnd();
  const send = async <T>(
    question: Json,
    shape: Shape<T>,
    patienceMs: number = silenceMs,
  ): Promise<T> => {
    if (lost !== null) throw lost;
    last = JSON.stringify(question);
    const answer = new Promise<string>((resolve, reject) => waiting.push({ resolve, reject }));
    program.stdin.write(`${last}\n`);
    const silence = setTimeout(
      () => fail(new Error(`${name} has not answered ${last} for ${patienceMs / 1_000} s`)),
      patienceMs,
    );
    try {
      return readAnswer(name, question, await answer, shape);
    } finally {
      clearTimeout(silence);
    }
  };
  const sendLimits = async (question: Json): Promise<null | Failure> => {
    const { ok, cannot } = await send(question, configuredShape);
    if (ok) return null;
    if (cannot.length > 0) return new Failure(...cannot);
    throw new Error(`${name} answered neither {"ok":true} nor {"cannot":[...]} to configure`);
  };
  return {
    // Starting a toolchain delays the first reply, so this waits long even if `silenceMs` is short.
    describe: () => send({ op: "describe" }, descriptionShape, Math.max(silenceMs, SILENCE_MS)),
    configure: (limits, atUs) =>
      sendLimits({ op: "configure", limits: limits.map((each) => ({ ...each })), at_us: atUs }),
    change: (limits, atUs) =>
      sendLimits({ op: "change", limits: limits.map((each) => ({ ...each })), at_us: atUs }),
    decide: ({ limitIndex, key, cost, atUs }) =>
      send({ op: "decide", limit_index: limitIndex, key, cost, at_us: atUs }, decisionShape),
    stop: () => program.stop(),
  };
}

interface LineReader {
  readonly line: (line: string) => void;
  readonly tooLong: () => void;
}

/** Resolves at the end of the stream. The length of a line is limited, so that endless garbage fills no memory. */
function readLines(stream: Readable, { line: handle, tooLong }: LineReader): Promise<void> {
  let rest = "";
  stream.setEncoding("utf8").on("data", (text: string) => {
    const lines = `${rest}${text}`.split("\n");
    rest = lines.pop()!;
    for (const line of lines) handle(line);
    if (rest.length <= LONGEST_LINE) return;
    tooLong();
    rest = "";
  });
  return new Promise((resolve) => stream.once("close", resolve));
}

const shorten = (line: string): string =>
  JSON.stringify(line.length > 120 ? `${line.slice(0, 120)}...` : line);

function readAnswer<T>(name: string, question: Json, line: string, shape: Shape<T>): T {
  const sent = JSON.stringify(question);
  if (line.length > LONGEST_LINE)
    throw new Error(`${name} answered ${sent} by a line of ${line.length} letters`);
  let answer: Json;
  try {
    answer = JSON.parse(line) as Json;
  } catch {
    throw new Error(`${name} answered ${sent} by a line that is no JSON: ${shorten(line)}`);
  }
  if (isJsonMap(answer) && typeof answer["error"] === "string")
    throw new LimiterError(`${name} failed on ${sent}: ${answer["error"]}`);
  const problems: Problem[] = [];
  const read = shape.read(answer, [], problems);
  if (read !== undefined && problems.length === 0) return read;
  const why = problems.map(({ path, message }) => `${path.join(".")} ${message}`.trim()).join("; ");
  throw new Error(`${name} answered ${sent} by ${shorten(line)}: ${why}`);
}
