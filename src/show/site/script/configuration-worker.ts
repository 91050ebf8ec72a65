// The thread that reads a configuration of the first page.
import { isFailure } from "../../../kit/reading/failure.ts";
import type { ConfigurationFile } from "../../../lab/implementations/reading.ts";
import { readConfiguration, type ConfigurationWords } from "../read-configuration.ts";

export type ConfigurationWork = Pick<ConfigurationFile, "file" | "text">;

/** A worker has only one page, so its messages need no origin. */
const page = globalThis as unknown as Pick<MessagePort, "postMessage">;

function perform(work: ConfigurationWork): ConfigurationWords {
  try {
    const read = readConfiguration(work);
    return isFailure(read) ? { sentences: read.problems, rows: [] } : read;
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error);
    return { sentences: [`${work.file} cannot be read: ${words}`], rows: [] };
  }
}

addEventListener("message", ({ data }: MessageEvent<ConfigurationWork>) => {
  page.postMessage(perform(data), []);
});
