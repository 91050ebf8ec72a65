// Formats a problem as one line for people, and parses such lines. All code uses this, so that warnings have the same
// form everywhere.
import { oneLine } from "./legible.ts";
import type { Problem } from "./problems.ts";

type Worded = Pick<Problem, "message" | "fix">;
type Coded = Worded & Pick<Problem, "code" | "severity">;

/** The message, then the fix. A message that ends with "did you mean ...?" contains its fix already. */
export const withFix = ({ message, fix }: Worded): string =>
  fix === "" || message.endsWith("?") ? message : `${message}; ${fix}`;

/** The line of a problem without its place, for a page that shows the place separately. */
export const formatWithoutPlace = ({ severity, code, ...worded }: Coded): string =>
  oneLine(`${severity} ${code} ${withFix(worded)}`);

/** The line of a problem. `place`: FILE:LINE:COLUMN, or a file, a variable or a flag. */
export const formatProblemAt = (place: string, problem: Coded): string =>
  `${oneLine(place)} ${formatWithoutPlace(problem)}`;

interface ProblemLineParts {
  readonly severity: Problem["severity"];
  /** Undefined if the line has no code, because the problem is not in a file. */
  readonly code: string | undefined;
  /** Undefined if the place has no line; then `message` begins with the place. */
  readonly at:
    | { readonly file: string; readonly line: number; readonly column: number }
    | undefined;
  readonly message: string;
}

const PLACED = /^(\S.*?):(\d+):(\d+) (error|warning) ([A-Z]+-[A-Z-]+) (.*)$/s;
const UNPLACED = /^\S.*? (error|warning) ([A-Z]+-[A-Z-]+) .*$/s;

/** Parses any line that a command printed instead of a result; a line without the word "warning" is an error. */
export function parseProblemLine(text: string): ProblemLineParts {
  const [, file, line, column, severity, code, message] = PLACED.exec(text) ?? [];
  if (file !== undefined && message !== undefined)
    return {
      severity: severity === "warning" ? "warning" : "error",
      code,
      at: { file, line: Number(line), column: Number(column) },
      message,
    };
  const [, named, codeOfPlace] = UNPLACED.exec(text) ?? [];
  const isWarning = named === "warning" || text.startsWith("warning: ");
  return {
    severity: isWarning ? "warning" : "error",
    code: codeOfPlace,
    at: undefined,
    message: text,
  };
}
