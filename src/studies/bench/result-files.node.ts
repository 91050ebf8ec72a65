// The files that a run writes: the document, and the raw samples, which are written from the first repeat on. Both get
// their final names when the run ends, so that a run that crashes does not replace an earlier result.
import { closeSync, existsSync, openSync, renameSync, writeSync } from "node:fs";
import { basename } from "node:path";
import { writeWhole } from "../../kit/reading/text-file.node.ts";

export interface ResultFiles {
  /** Holds a sample back until the next repeat, so that nothing is written during a measurement. */
  readonly recordSample: (sample: object) => void;
  readonly flush: () => void;
  /** Returns where the result is saved. `isWhole`: the run was not stopped early. */
  readonly placeOf: (isWhole: boolean) => ResultPlace;
  readonly finish: (place: ResultPlace, result: object) => void;
}

export interface ResultPlace {
  readonly file: string;
  readonly samplesFile: string; // the file name without its folder, as in the document
  readonly line: string; // the printed sentence with the place of the result
}

const SAMPLES_FORMAT = "weir-bench-samples/1";

/** The result's file name with .ndjson in place of .json. To a name with another ending, .ndjson is added. */
export const samplesFileOf = (file: string): string => `${file.replace(/\.json$/, "")}.ndjson`;

/** The result of an interrupted run does not replace an earlier result. */
export function placeOfResult(file: string, isWhole: boolean): ResultPlace {
  const isApart = !isWhole && existsSync(file);
  const place = isApart ? `${file.replace(/\.json$/, "")}.stopped.json` : file;
  const line = `saved: ${place}${isApart ? `; ${file} is still the earlier result` : ""}`;
  return { file: place, samplesFile: basename(samplesFileOf(place)), line };
}

export function openResultFiles(file: string): ResultFiles {
  const part = `${samplesFileOf(file)}.part`;
  const handle = openSync(part, "w");
  let buffered = `${JSON.stringify({ format: SAMPLES_FORMAT })}\n`;
  const flush = (): void => {
    writeSync(handle, buffered);
    buffered = "";
  };
  flush();
  return {
    recordSample: (sample) => {
      buffered += `${JSON.stringify(sample)}\n`;
    },
    flush,
    placeOf: (isWhole) => placeOfResult(file, isWhole),
    finish: (place, result) => {
      flush();
      closeSync(handle);
      renameSync(part, samplesFileOf(place.file));
      writeWhole(place.file, `${JSON.stringify(result, null, 2)}\n`);
    },
  };
}
