// Reads the configuration of another limiter by the reader that recognizes it.
import { Failure, isFailure } from "../../kit/reading/failure.ts";
import { findReader } from "./readers.ts";
import type {
  ConfigurationFile,
  ConfigurationReader,
  Includes,
  ReadConfiguration,
} from "./reading.ts";

export interface RulesWanted {
  readonly kind: string | null; // of --kind; null: found by the text
  readonly values: ReadonlyMap<string, string>; // of --set
}

export interface RulesRead {
  readonly configuration: ReadConfiguration;
  /** That the rules were never compared with the program; null: they were. */
  readonly doubt: string | null;
}

/** Null: no reader recognizes the file. `named`: what the user named, which may be a folder. */
export function readRules(
  main: ConfigurationFile,
  includes: Includes,
  { kind, values }: RulesWanted,
  named: string = main.file,
): RulesRead | null | Failure {
  if (isTemplate(main.text)) return notRendered(named);
  const reader = findReader(main, kind);
  if (reader === null || isFailure(reader)) return reader;
  const template = main.others?.find((each) => reader.recognizes(each) && isTemplate(each.text));
  if (template !== undefined) return notRendered(template.file);
  const configuration = reader.read(main, refuseTemplates(includes), values);
  return isFailure(configuration)
    ? configuration
    : { configuration, doubt: doubtOf(reader, named) };
}

const doubtOf = ({ isProvedBy, kind }: ConfigurationReader, named: string): string | null =>
  isProvedBy === "documentation"
    ? `${named}: the reader of ${kind} follows its documentation, and was not compared with ${kind} itself`
    : null;

const TEMPLATE = /\{\{[^{}]*\}\}|\{%[^%]*%\}/;

const isTemplate = (text: string): boolean =>
  (TEMPLATE.test(text) || hasTag(text)) && !isJson(text);

/** A pattern would look for the end again at each start of a tag. */
function hasTag(text: string): boolean {
  const start = text.indexOf("<%");
  return start >= 0 && text.includes("%>", start);
}

/** The texts of JSON may be templates of the program itself. */
function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
}

const notRendered = (file: string): Failure =>
  new Failure(`${file} is a template; render it, and name the rendered file`);

const refuseTemplates =
  (includes: Includes): Includes =>
  (pattern) => {
    const files = includes(pattern);
    const template = isFailure(files) ? undefined : files.find(({ text }) => isTemplate(text));
    return template === undefined ? files : notRendered(template.file);
  };
