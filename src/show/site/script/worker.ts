// The thread of the playground: runs one scenario after the other, reports intermediate results, and then answers
// questions about the last run. If it hangs, the page ends it and starts another.
import { sha256OfBytes } from "../../../limiter/core/sha256.ts";
import type { RefusalsReport } from "../../../lab/report/model-refusals.ts";
import type { LastRun, RequestReason, VariantDigest } from "../last-run.ts";
import type { RequestMarks } from "../request-marks.ts";
import { runScenario, type RunMessage, type ScenarioText } from "../run-scenario.ts";

export interface RunWork extends ScenarioText {
  readonly id: number;
}

/** A question about the run with the same id. */
export type RunQuestion =
  | { readonly want: "digests" }
  | { readonly want: "refusals" }
  | { readonly want: "marks"; readonly variant: number }
  | { readonly want: "reason"; readonly variant: number; readonly row: number };

export type RunKnowledge =
  | { readonly kind: "digests"; readonly digests: readonly VariantDigest[] }
  | { readonly kind: "refusals"; readonly refusals: readonly RefusalsReport[] }
  | { readonly kind: "marks"; readonly variant: number; readonly marks: RequestMarks | null }
  | {
      readonly kind: "reason";
      readonly variant: number;
      readonly row: number;
      readonly reason: RequestReason | null;
    };

export type WorkerWork = RunWork | ({ readonly id: number } & RunQuestion);

export interface RunReply {
  readonly id: number;
  readonly message: RunMessage | RunKnowledge;
}

/** A worker has only one page, so its messages need no origin. */
const page = globalThis as unknown as Pick<MessagePort, "postMessage">;
const encoder = new TextEncoder();

/** The length of a digest, equal to that in `weir run --reference`. */
const DIGITS = 16;

function* bytesOf(chunks: Iterable<string>): Generator<Uint8Array> {
  for (const chunk of chunks) yield encoder.encode(chunk);
}

const digest = (chunks: Iterable<string>): string =>
  sha256OfBytes(bytesOf(chunks)).slice(0, DIGITS);

let last: { readonly id: number; readonly run: LastRun } | null = null;

async function run({ id, ...text }: RunWork): Promise<void> {
  last = null; // frees its histories before the new ones are recorded
  const steps = runScenario(text);
  for (;;) {
    const { done, value } = await steps.next();
    if (done !== true) {
      reply(id, value);
      continue;
    }
    if (value !== null) last = { id, run: value };
    return;
  }
}

async function knowledgeOf(
  { run: known }: NonNullable<typeof last>,
  question: RunQuestion,
): Promise<RunKnowledge> {
  switch (question.want) {
    case "digests":
      return { kind: "digests", digests: await known.digests(digest) };
    case "refusals":
      return { kind: "refusals", refusals: await known.refusals() };
    case "marks":
      return {
        kind: "marks",
        variant: question.variant,
        marks: await known.marks(question.variant),
      };
    case "reason": {
      const { variant, row } = question;
      return { kind: "reason", variant, row, reason: await known.reason(variant, row) };
    }
  }
}

function reply(id: number, message: RunReply["message"]): void {
  page.postMessage({ id, message } satisfies RunReply, []);
}

async function perform(work: WorkerWork): Promise<void> {
  const { id } = work;
  try {
    if (!("want" in work)) await run(work);
    else if (last?.id === id) reply(id, await knowledgeOf(last, work));
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error);
    reply(id, {
      kind: "stopped",
      why: `The run ended with an error of Weir or of the browser: ${words}`,
    });
  }
}

addEventListener("message", ({ data }: MessageEvent<WorkerWork>) => void perform(data));
