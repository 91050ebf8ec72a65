// Summarizes in one line what a program wrote before it ended: the error and its place, without the stack trace.
import { oneLine } from "../../kit/reading/legible.ts";

const OF_STACK = /^(?:at |File "|\^+$|\}$|Node\.js v|Traceback )/;
const ERROR = /^(?:[\w.]*(?:Error|Exception)\b|panic\b|fatal\b|Exception in ).*:/i;
const PLACE = /^\S+:\d+$/;
const MOST_LINES = 3;

/** Empty if the program wrote nothing. */
export function summarizeOutput(output: string): string {
  const lines = output
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "" && !OF_STACK.test(line));
  const error = lines.findLast((line) => ERROR.test(line));
  const shown =
    error === undefined
      ? lines.slice(-MOST_LINES)
      : [...lines.slice(0, 1).filter((line) => PLACE.test(line)), error];
  return oneLine(shown.join(" / "));
}
