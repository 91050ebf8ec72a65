// The files that a run writes: the document, and its raw samples, which are written from the first repeat on. They get
// their names when the run is over, so that the names stay free if it is killed.
import { closeSync, openSync, renameSync, rmSync, writeSync } from "node:fs";
import { basename } from "node:path";
import { writeWhole } from "../reading/text-file.node.ts";

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
  const part = `${samples}.part`;
  // The files of an earlier run are never taken for those of one that is killed.
  for (const each of [file, samples]) rmSync(each, { force: true });
  const handle = openSync(part, "w");
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
      renameSync(part, samples);
      writeWhole(file, `${JSON.stringify(result, null, 2)}\n`);
    },
  };
}
