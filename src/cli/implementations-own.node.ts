// weir implementations run NAME --config FILE: compares a program with what is read of the user's own file.
import {
  programOfFile,
  type OwnFile,
  type OwnProgram,
} from "../studies/implementations/own-file.ts";
import { OWN_ENVOY } from "../studies/implementations/own-envoy.ts";
import { OWN_HAPROXY } from "../studies/implementations/own-haproxy.ts";
import { OWN_NGINX } from "../studies/implementations/own-nginx.ts";
import { OWN_VARNISH } from "../studies/implementations/own-varnish.ts";
import { withoutVariants } from "../studies/implementations/configurations.node.ts";
import type { ConfigurationProgram } from "../studies/implementations/drawn-configuration.ts";
import {
  includesNextTo,
  readConfigurationFile,
} from "../lab/implementations/configuration-files.node.ts";
import type { Implementation } from "../lab/implementations/catalogue.node.ts";
import type { Includes } from "../lab/implementations/reading.ts";
import { readRules } from "../lab/implementations/read-configuration.ts";
import { doubtsOf } from "../lab/implementations/rules-of-file.ts";
import { Failure, isFailure } from "../kit/reading/failure.ts";
import type { Arguments } from "./arguments.ts";
import { configurationQuestion } from "./configuration-file.node.ts";

const PROGRAMS: readonly OwnProgram[] = [OWN_NGINX, OWN_HAPROXY, OWN_VARNISH, OWN_ENVOY];

/** Why a program that is installed here is not started with the file of a user. */
const WHY_NOT: Readonly<Record<string, string>> = {
  "envoy-ratelimit": "an Envoy that is not in the file sends it descriptors",
  "spring-cloud-gateway": "its key resolvers are code, which is not in the file",
};

export interface StartedFile {
  readonly implementation: Implementation;
  readonly file: string;
  readonly program: ConfigurationProgram;
  readonly doubts: readonly string[];
}

/** Reads the file of --config for the implementation that is named. */
export function readOwnFile(
  named: readonly Implementation[],
  args: Arguments,
): StartedFile | Failure {
  const file = args.values.get("config")!;
  const [implementation, another] = withoutVariants(named);
  const program = PROGRAMS.find(({ reader }) => reader.kind === implementation?.id);
  const why = WHY_NOT[implementation?.id ?? ""];
  if (why !== undefined && another === undefined)
    return new Failure(
      `--config: ${implementation!.id} is not started with the file of a user, because ${why}; compare its reader by weir implementations prove ${implementation!.id} --configurations`,
    );
  const kinds = PROGRAMS.map(({ reader }) => reader.kind).join(", ");
  if (implementation === undefined || another !== undefined || program === undefined)
    return new Failure(
      `--config: the file of a user is started by one of ${kinds}; name it: weir implementations run nginx --config ${file}`,
    );
  const question = configurationQuestion(args, () => {});
  if (isFailure(question)) return question;
  const main = readConfigurationFile(file);
  if (isFailure(main)) return main;
  const texts = new Map([[main.file, main.text]]);
  const includes: Includes = (pattern) => {
    const found = includesNextTo(file)(pattern);
    for (const each of isFailure(found) ? [] : found) texts.set(each.file, each.text);
    return found;
  };
  const { kind } = program.reader;
  const read = readRules(main, includes, { kind, values: question.values });
  if (read === null || isFailure(read)) return read ?? new Failure(`${file} is not read`);
  const { configuration } = read;
  if (configuration.rules.length === 0)
    return new Failure(`${file} has no limit of ${kind}; name the file that has some`);
  const own: OwnFile = { main, includes, configuration, text: [...texts.values()].join("\n") };
  const filesAt = program.filesOf(own);
  if (isFailure(filesAt)) return filesAt;
  return {
    implementation,
    file,
    program: programOfFile(program, own, filesAt),
    doubts: doubtsOf(configuration),
  };
}
