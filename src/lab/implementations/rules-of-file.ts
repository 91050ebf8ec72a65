// The rules of a file as a scenario has them, and what the file leaves open.
import { cut, oneLine } from "../../kit/reading/legible.ts";
import type { RulesOfFile } from "../scenario/world.ts";
import type { RulesRead } from "./read-configuration.ts";
import type { ReadConfiguration } from "./reading.ts";
import { usuallyShares } from "./shared-counters.ts";

export const rulesOfFile = (file: string, { configuration, doubt }: RulesRead): RulesOfFile => ({
  file,
  configuration,
  doubts: () => [...(doubt === null ? [] : [doubt]), ...doubtsOf(configuration)],
  isShared: ({ sharesCounters }) => sharesCounters ?? usuallyShares(configuration.kind),
});

/** Statements that may change a limit and are not understood, and questions without an answer, a sentence each. */
export const doubtsOf = ({ statements, questions }: ReadConfiguration): readonly string[] => [
  ...statements.flatMap(({ role, file, line, text, consequence }) =>
    role === "not understood"
      ? [oneLine(`${file}:${line} is not understood: ${cut(text)}: ${consequence}`)]
      : [],
  ),
  ...questions.flatMap(({ name, file, line, value, isSet }) =>
    isSet
      ? []
      : [
          oneLine(
            `${file}:${line} reads $${name}, which only production knows; it is taken as ${value === "" ? "empty" : `"${value}"`}`,
          ),
        ],
  ),
];
