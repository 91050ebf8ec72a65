// Lists of paths that Tyk allows, blocks or ignores, before any limit.
import { childrenOf, textIn, type YamlNode } from "../yaml-tree.ts";
import { fieldOf, isTrue, patternTest, type TykContext } from "./read-limits.ts";

type PathTest = (method: string, path: string) => boolean;

export interface TykLists {
  /** Whether a request is rejected before it meets a limit. */
  readonly isRejected: PathTest;
  /** Whether a request needs no key, so that it meets no limit of keys. */
  readonly isIgnored: PathTest;
}

type ListName = "allowed" | "blocked" | "ignored";

const CLASSIC: Readonly<Record<string, ListName>> = {
  white_list: "allowed",
  black_list: "blocked",
  ignored: "ignored",
};

const OAS: Readonly<Record<string, ListName>> = {
  allow: "allowed",
  block: "blocked",
  ignoreAuthentication: "ignored",
};

function listsOf(entries: readonly (readonly [ListName, PathTest])[]): TykLists {
  const of = (name: ListName): readonly PathTest[] =>
    entries.flatMap(([list, test]) => (list === name ? [test] : []));
  const [allowed, blocked, ignored] = [of("allowed"), of("blocked"), of("ignored")];
  const isIgnored: PathTest = (method, path) => ignored.some((test) => test(method, path));
  return {
    isIgnored,
    isRejected: (method, path) =>
      blocked.some((test) => test(method, path)) ||
      (allowed.length > 0 &&
        !isIgnored(method, path) &&
        !allowed.some((test) => test(method, path))),
  };
}

/** The lists of the extended paths of versions. */
export const classicLists = (versions: readonly YamlNode[], context: TykContext): TykLists =>
  listsOf(
    versions.flatMap((version) =>
      Object.entries(CLASSIC).flatMap(([field, list]) =>
        (fieldOf(fieldOf(version, "extended_paths"), field)?.items ?? []).flatMap((entry) => {
          const test = entryTest(entry, context);
          return test === null ? [] : [[list, test] as const];
        }),
      ),
    ),
  );

/** The test of an entry; null: it is disabled, or its pattern is not readable, which is noted. */
function entryTest(entry: YamlNode, context: TykContext): PathTest | null {
  if (isTrue(fieldOf(entry, "disabled"))) return null;
  for (const field of childrenOf(entry)) context.notes.noteAll(field, "read");
  const test = patternTest(entry, textIn(fieldOf(entry, "path")), context);
  if (test === null) return null;
  const method = textIn(fieldOf(entry, "method"));
  const actions = [...(fieldOf(entry, "method_actions")?.fields?.keys() ?? [])];
  const methods = method === "" ? actions : [method];
  return (own, path) => (methods.length === 0 || methods.includes(own)) && test(path);
}

/** The lists that operations of an OAS document are in. */
export const oasLists = (
  operations: readonly {
    readonly node: YamlNode;
    readonly method: string;
    readonly path: string;
  }[],
  context: TykContext,
): TykLists =>
  listsOf(
    operations.flatMap(({ node, method, path }) =>
      Object.entries(OAS).flatMap(([field, list]) => {
        const written = fieldOf(node, field);
        if (!isTrue(fieldOf(written, "enabled"))) return [];
        context.notes.noteAll(written!, "read");
        const test = patternTest(written!, path, context);
        if (test === null) return [];
        return [[list, (own: string, at: string) => own === method && test(at)] as const];
      }),
    ),
  );
