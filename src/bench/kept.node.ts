// What a run leaves on the disk: the document, and the raw samples beside it, which are there from the first
// repeat on.
import { closeSync, openSync, rmSync, writeFileSync, writeSync } from "node:fs";
import { basename } from "node:path";

export interface Kept {
  readonly samplesFile: string; // as the document calls it
  /** Written with the next repeat, so that nothing is written while something is measured. */
  readonly note: (sample: object) => void;
  readonly flush: () => void;
  readonly end: (result: object) => void;
}

const SAMPLES_FORMAT = "weir-bench-samples/1";

/** `file` ends in .json, or the samples take its name with another ending. */
export const samplesBeside = (file: string): string => `${file.replace(/\.json$/, "")}.ndjson`;

export function keepResult(file: string): Kept {
  const samples = samplesBeside(file);
  // Whoever is killed leaves no document of an earlier run beside samples of this one.
  rmSync(file, { force: true });
  const handle = openSync(samples, "w");
  let waiting = `${JSON.stringify({ format: SAMPLES_FORMAT })}\n`;
  const flush = (): void => {
    writeSync(handle, waiting);
    waiting = "";
  };
  flush();
  return {
    samplesFile: basename(samples),
    note: (sample) => {
      waiting += `${JSON.stringify(sample)}\n`;
    },
    flush,
    end: (result) => {
      flush();
      closeSync(handle);
      writeFileSync(file, `${JSON.stringify(result, null, 2)}\n`);
    },
  };
}
