// The thread that replays a log of the playground. It ends with its log, and the page ends it if it takes too long.
import { isFailure } from "../../reading/failure.ts";
import { replayText } from "../../replay/text.ts";
import { MOST_LOG_BYTES, replayLog, type LogLimit } from "../replay-log.ts";

export interface LogWork extends LogLimit {
  readonly file: File;
}

/** Lines of `weir replay`, or a sentence why there are none. */
export type LogReply = readonly string[];

/** A thread has one page, and messages to it need no origin. */
const page = globalThis as unknown as Pick<MessagePort, "postMessage">;

async function perform({ file, ...limit }: LogWork): Promise<LogReply> {
  try {
    // One byte more than a page replays is enough to know.
    const bytes = new Uint8Array(await file.slice(0, MOST_LOG_BYTES + 1).arrayBuffer());
    const result = await replayLog({ name: file.name, bytes }, limit);
    return isFailure(result) ? [result.message] : replayText(result, (_, text) => text, true);
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error);
    return [`${file.name} cannot be read: ${words}`];
  }
}

addEventListener("message", ({ data }: MessageEvent<LogWork>) => {
  void perform(data).then((reply) => page.postMessage(reply, []));
});
