// `weir try --config`: reads the file of another limiter, and the requests that it is tried with.
import { Failure, isFailure } from "../kit/reading/failure.ts";
import { includesNextTo } from "../lab/implementations/configuration-files.node.ts";
import { readFileOrFolder } from "../lab/implementations/configuration-folder.node.ts";
import type { TriedFile } from "../studies/try/question.ts";
import { readTriedFile } from "../studies/try/tried-file.ts";
import { countIn, hasOption, type Arguments } from "./arguments.ts";
import { configurationQuestion } from "./configuration-file.node.ts";
import { readHeaders } from "./header-option.ts";

/** Null: no file is named. */
export function readFileToTry(args: Arguments): TriedFile | null | Failure {
  const { values, lists } = args;
  const file = values.get("config");
  if (file === undefined) {
    const unused = ["path", "header", "kind", "set"].find((name) => hasOption(args, name));
    return unused === undefined
      ? null
      : new Failure(`--${unused} needs --config; add --config FILE`);
  }
  const question = configurationQuestion(args, () => {});
  if (isFailure(question)) return question;
  const typed = values.get("path") ?? "/";
  const [, method = "GET", path] = /^(?:([A-Z]+) )?(\/[!-~]*)$/.exec(typed) ?? [];
  if (path === undefined)
    return new Failure(
      `--path: "${typed}" is no path; write it with a leading slash, such as /login or "POST /login"`,
    );
  const headers = readHeaders("header", lists.get("header") ?? []);
  if (isFailure(headers)) return headers;
  const perAddress = countIn(values, "per-address", Number.MAX_SAFE_INTEGER);
  if (isFailure(perAddress)) return perAddress;
  const main = readFileOrFolder(file, question.kind);
  if (isFailure(main)) return main;
  const wanted = {
    file,
    main,
    kind: question.kind,
    values: question.values,
    method,
    path,
    headers,
  };
  return readTriedFile(wanted, includesNextTo(file), perAddress);
}
