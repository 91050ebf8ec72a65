// The thread of the playground: runs one scenario after the other, and reports what it has so far. The page ends a
// thread that hangs, and starts another.
import { sha256OfBytes } from "../../core/sha256.ts";
import { runScenario, type RunMessage, type ScenarioText } from "../run-scenario.ts";

export interface RunWork extends ScenarioText {
  readonly id: number;
}

export interface RunReply {
  readonly id: number;
  readonly message: RunMessage;
}

/** A thread has one page, and messages to it need no origin. */
const page = globalThis as unknown as Pick<MessagePort, "postMessage">;
const encoder = new TextEncoder();

/** As long as those of `weir run --reference`. */
const DIGITS = 16;

function* bytesOf(chunks: Iterable<string>): Generator<Uint8Array> {
  for (const chunk of chunks) yield encoder.encode(chunk);
}

const digest = (chunks: Iterable<string>): string =>
  sha256OfBytes(bytesOf(chunks)).slice(0, DIGITS);

async function run({ id, ...text }: RunWork): Promise<void> {
  const reply = (message: RunMessage): void => {
    page.postMessage({ id, message } satisfies RunReply, []);
  };
  try {
    for await (const message of runScenario(text, digest)) reply(message);
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error);
    reply({
      kind: "stopped",
      why: `The run ended with an error of Weir or of the browser: ${words}`,
    });
  }
}

addEventListener("message", ({ data }: MessageEvent<RunWork>) => void run(data));
