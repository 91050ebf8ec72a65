// The directives of a configuration of nginx, with those of included files in the place of each `include`.
import { Failure, isFailure } from "../../../kit/reading/failure.ts";
import type { ConfigurationFile, Includes } from "../reading.ts";
import { parseNginx, type Directive } from "./parse.ts";
import { isWithoutLimits } from "./roles.ts";

const MOST_DEEP = 50;
const MOST_FILES = 10_000;

export function expandIncludes(
  main: ConfigurationFile,
  includes: Includes,
): readonly Directive[] | Failure {
  let files = 0;
  return expand(main, []);

  /** Files that are installed in /etc/nginx are read next to the main file, if they are there. */
  function findFiles(pattern: string): readonly ConfigurationFile[] | Failure {
    const installed = /^\/etc\/nginx\/(.+)$/.exec(pattern)?.[1];
    const found = installed === undefined ? null : includes(installed);
    return found === null || isFailure(found) || found.length === 0 ? includes(pattern) : found;
  }

  function expand(
    file: ConfigurationFile,
    within: readonly string[],
  ): readonly Directive[] | Failure {
    if (within.includes(file.file)) {
      const through = within.slice(within.indexOf(file.file) + 1);
      const way = through.length === 0 ? "" : `, through ${through.join(", ")}`;
      return new Failure(`${file.file} includes itself${way}; remove one of these includes`);
    }
    if (within.length > MOST_DEEP || ++files > MOST_FILES)
      return new Failure(`${file.file}: more files are included than a configuration has`);
    const directives = parseNginx(file);
    return isFailure(directives) ? directives : expandAll(directives, [...within, file.file]);
  }

  function expandAll(
    directives: readonly Directive[],
    within: readonly string[],
  ): readonly Directive[] | Failure {
    const all: (readonly Directive[])[] = [];
    for (const directive of directives) {
      const { name, words, block, file, line } = directive;
      if (name === "include" && words.length === 1 && !isWithoutLimits(words[0]!)) {
        const found = findFiles(words[0]!);
        if (isFailure(found))
          return new Failure(...found.problems.map((why) => `${file}:${line}: ${why}`));
        for (const each of found) {
          const content = expand(each, within);
          if (isFailure(content)) return content;
          all.push(content);
        }
        if (found.length === 0) all.push([directive]);
      } else if (block === null) all.push([directive]);
      else {
        const inner = expandAll(block, within);
        if (isFailure(inner)) return inner;
        all.push([{ ...directive, block: inner }]);
      }
    }
    return all.flat();
  }
}
