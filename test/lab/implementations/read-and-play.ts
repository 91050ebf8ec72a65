// Reads a configuration from a text, and decides requests by its rules, as weir diff does.
import { Failure, isFailure } from "#src/kit/reading/failure.ts";
import type {
  ConfigurationFile,
  ConfigurationReader,
  Includes,
  ReadConfiguration,
} from "#src/lab/implementations/reading.ts";
import { SEPARATOR, type NameTable } from "#src/studies/replay/names.ts";
import { fieldsOfRules, startRules } from "#src/studies/replay/rules.ts";
import { selectorText } from "#src/studies/replay/selectors.ts";

export interface ReadInput {
  readonly values?: Readonly<Record<string, string>>; // of --set
  readonly files?: Readonly<Record<string, string>>; // that it includes
  readonly others?: readonly ConfigurationFile[]; // of the same folder
}

export function readText(
  reader: ConfigurationReader,
  text: string,
  { values = {}, files = {}, others }: ReadInput = {},
): ReadConfiguration | Failure {
  const includes: Includes = (file) =>
    files[file] === undefined
      ? new Failure(`${file} does not exist`)
      : [{ file, text: files[file] }];
  const main = { file: "in.txt", text, ...(others === undefined ? {} : { others }) };
  return reader.read(main, includes, new Map(Object.entries(values)));
}

export function mustRead(
  reader: ConfigurationReader,
  text: string,
  input?: ReadInput,
): ReadConfiguration {
  const configuration = readText(reader, text, input);
  if (isFailure(configuration)) throw new Error(configuration.message);
  return configuration;
}

/** Each statement as "LINE ROLE text: consequence". */
export const rolesOf = ({ statements }: ReadConfiguration): readonly string[] =>
  statements.map(
    ({ line, role, text, consequence }) =>
      `${line} ${role} ${text}${consequence === "" ? "" : `: ${consequence}`}`,
  );

/** The statements that may change a limit. */
export const openOf = (configuration: ReadConfiguration): readonly string[] =>
  rolesOf(configuration).filter((line) => /^\d+ (?:not understood|question)/.test(line));

export interface Sent {
  readonly at?: number; // in seconds; left out: the time of the request before it
  readonly method?: string;
  readonly path?: string;
  readonly ip?: string;
  readonly host?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A start of a day, in seconds, from which the times of requests count. */
export const START = 864_000;

/** Decides requests one by one. Returns whether each is admitted. */
export function playerOf(configuration: ReadConfiguration): (request: Sent) => boolean {
  const candidate = { kind: "rules" as const, file: "in.txt", configuration };
  const sender = fieldsOfRules(candidate);
  const names: string[] = [];
  const limiter = startRules(candidate, {
    clients: { names: [] },
    targets: { names } as unknown as NameTable,
    sender,
  });
  let now = START;
  return ({ at, method = "GET", path = "/", ip = "192.0.2.1", host = "", headers = {} }) => {
    if (at !== undefined) now = START + at;
    const values = sender.map(selectorText).map((field) => {
      if (field === "ip") return ip;
      if (field === "header:host") return host;
      return headers[field.slice("header:".length)] ?? "";
    });
    const name = [`${method} ${path}`, ...values].join(String.fromCodePoint(SEPARATOR));
    const known = names.indexOf(name);
    const target = known < 0 ? names.push(name) - 1 : known;
    return limiter.decide(0, target, Math.round(1_000_000 * now)) === 0;
  };
}

/** "+" for each admitted request, "-" for each refused one. */
export function play(configuration: ReadConfiguration, requests: readonly Sent[]): string {
  const decide = playerOf(configuration);
  return requests.map((request) => (decide(request) ? "+" : "-")).join("");
}

/** How the tests of a reader read a text, and what it decides about requests. */
export function startReading(reader: ConfigurationReader) {
  const read = (text: string, input?: ReadInput): ReadConfiguration =>
    mustRead(reader, text, input);
  const decisions = (text: string, requests: readonly Sent[], input?: ReadInput): string =>
    play(read(text, input), requests);
  return { read, decisions };
}

export const times = (count: number, request: Sent): readonly Sent[] =>
  Array.from({ length: count }, () => request);
