// Reads the configuration of another limiter as `weir worst --config` does: what each limit admits at worst. It needs no
// files, so that a page can do it.
import { Failure, isFailure } from "../../kit/reading/failure.ts";
import { cut, many, oneLine, thousands } from "../../kit/reading/legible.ts";
import { perWords } from "../../kit/reading/periods.ts";
import { findReader, KINDS } from "../../lab/implementations/readers.ts";
import type { ConfigurationFile } from "../../lab/implementations/reading.ts";
import { buildWorstOfFile } from "../../studies/diff/worst-of-file.ts";
import { MOST_LETTERS } from "./compare-configurations.ts";
import { answerWorstOfFile } from "../answers/worst-of-file.ts";

export interface ConfigurationWords {
  /** The answer, and then what may make it wrong. */
  readonly sentences: readonly string[];
  readonly rows: readonly (readonly string[])[]; // columns as on the first page
}

const MOST_DOUBTS = 5;

export function readConfiguration({ file, text }: ConfigurationFile): ConfigurationWords | Failure {
  if (text.length > MOST_LETTERS)
    return new Failure(`${file} is too large for a page; use weir worst --config.`);
  const reader = findReader({ file, text }, null);
  if (isFailure(reader)) return reader;
  if (reader === null)
    return new Failure(`${file} is no configuration that Weir reads: ${KINDS.join(", ")}.`);
  // A page has one file: the reader reports each file that this one includes.
  const configuration = reader.read({ file, text }, () => [], new Map());
  if (isFailure(configuration)) return configuration;
  const facts = buildWorstOfFile({ kind: "rules", file, configuration }, undefined);
  const open = configuration.statements.filter(({ role }) => role === "not understood");
  const doubts = [
    ...open.map(
      ({ text: statement, line, consequence }) =>
        `Line ${line} is not understood: ${cut(oneLine(statement))}: ${oneLine(consequence)}.`,
    ),
    ...configuration.questions.map(
      ({ name, value }) => `${name} is taken to be ${cut(oneLine(value))}.`,
    ),
    ...(reader.isProvedBy === "documentation"
      ? [`${reader.kind} is read by its documentation, and was not compared with the program.`]
      : []),
  ];
  return {
    sentences: [
      ...answerWorstOfFile(facts).map((sentence) => sentence.text),
      ...doubts.slice(0, MOST_DOUBTS),
      ...(doubts.length > MOST_DOUBTS
        ? [`${many(doubts.length - MOST_DOUBTS, "doubt")} more: weir worst --config has them all.`]
        : []),
    ],
    rows: facts.limits.map(({ written, rule, most, perUs, line }) => [
      cut(oneLine(written)),
      cut(oneLine(rule)),
      most === null ? "not searched" : thousands(most),
      perWords(perUs),
      String(line),
    ]),
  };
}
