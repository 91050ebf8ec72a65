// The thread that replays a log of the playground. The page ends it after the reply, or after a time limit.
import { isFailure } from "../../../kit/reading/failure.ts";
import type { MeasuredPart } from "../../../lab/report/measured.ts";
import { replayText } from "../../../studies/replay/text.ts";
import { MOST_LOG_BYTES, replayLog, type LogLimit } from "../replay-log.ts";

export interface LogWork extends LogLimit {
  readonly file: File;
}

export interface LogReply {
  /** The output of `weir replay`, or a sentence why there is none. */
  readonly lines: readonly string[];
  readonly part: MeasuredPart | null; // null if nothing was replayed
}

/** A worker has only one page, so its messages need no origin. */
const page = globalThis as unknown as Pick<MessagePort, "postMessage">;

async function perform({ file, ...limit }: LogWork): Promise<LogReply> {
  try {
    // Reads one byte more than allowed, which is enough to detect a log that is too large.
    const bytes = new Uint8Array(await file.slice(0, MOST_LOG_BYTES + 1).arrayBuffer());
    const replayed = await replayLog({ name: file.name, bytes }, limit);
    if (isFailure(replayed)) return { lines: [replayed.message], part: null };
    const { result, part } = replayed;
    const answer = result.answer.map(({ text }) => text);
    return { lines: [...answer, "", ...replayText(result, (_, text) => text, true)], part };
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error);
    return { lines: [`${file.name} cannot be read: ${words}`], part: null };
  }
}

addEventListener("message", ({ data }: MessageEvent<LogWork>) => {
  void perform(data).then((reply) => page.postMessage(reply, []));
});
