// The files that a run writes: the document, and its raw samples, which are written from the first repeat on.
import { closeSync, openSync, rmSync, writeFileSync, writeSync } from "node:fs";
import { basename } from "node:path";

export interface ResultFiles {
  readonly samplesFile: string; // its name in the document
  /** The sample is written with the next repeat, so that nothing is written during a measurement. */
  readonly recordSample: (sample: object) => void;
  readonly flush: () => void;
  readonly finish: (result: object) => void;
}

const SAMPLES_FORMAT = "weir-bench-samples/1";

/** Unless `file` ends in .json, the ending is added to its whole name. */
export const samplesFileOf = (file: string): string => `${file.replace(/\.json$/, "")}.ndjson`;

export function openResultFiles(file: string): ResultFiles {
  const samples = samplesFileOf(file);
  // A killed run must not leave the document of an earlier run next to its own samples.
  rmSync(file, { force: true });
  const handle = openSync(samples, "w");
  let buffered = `${JSON.stringify({ format: SAMPLES_FORMAT })}\n`;
  const flush = (): void => {
    writeSync(handle, buffered);
    buffered = "";
  };
  flush();
  return {
    samplesFile: basename(samples),
    recordSample: (sample) => {
      buffered += `${JSON.stringify(sample)}\n`;
    },
    flush,
    finish: (result) => {
      flush();
      closeSync(handle);
      writeFileSync(file, `${JSON.stringify(result, null, 2)}\n`);
    },
  };
}
