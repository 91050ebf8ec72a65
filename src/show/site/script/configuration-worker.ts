// The thread that reads a configuration of the first page, and compares two on the playground.
import { isFailure } from "../../../kit/reading/failure.ts";
import type { ConfigurationFile } from "../../../lab/implementations/reading.ts";
import {
  compareConfigurations,
  type ComparedFiles,
  type ComparisonWords,
  type DescribedClients,
} from "../compare-configurations.ts";
import { readConfiguration, type ConfigurationWords } from "../read-configuration.ts";

export type ConfigurationWork = Pick<ConfigurationFile, "file" | "text">;

export interface ComparisonWork extends ComparedFiles {
  readonly clients: DescribedClients;
}

/** A worker has only one page, so its messages need no origin. */
const page = globalThis as unknown as Pick<MessagePort, "postMessage">;

function read(work: ConfigurationWork): ConfigurationWords {
  const words = readConfiguration(work);
  return isFailure(words) ? { sentences: words.problems, rows: [] } : words;
}

function compare(work: ComparisonWork): ComparisonWords {
  const words = compareConfigurations(work, work.clients);
  return isFailure(words) ? { sentences: words.problems, tables: [] } : words;
}

function perform(work: ConfigurationWork | ComparisonWork): ConfigurationWords | ComparisonWords {
  const isComparison = "before" in work;
  try {
    return isComparison ? compare(work) : read(work);
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error);
    const name = isComparison ? "One of the files" : work.file;
    const sentence = `${name} cannot be read: ${words}`;
    return { sentences: [sentence], rows: [], tables: [] };
  }
}

addEventListener("message", ({ data }: MessageEvent<ConfigurationWork | ComparisonWork>) => {
  page.postMessage(perform(data), []);
});
