// Labels of containers, such as traefik.http.routers.a.rule=..., as the tree of a dynamic configuration.
import { childrenOf, textIn, type YamlNode } from "../yaml-tree.ts";

const LABEL = /^traefik\.http\.(.+)$/is;

type Fields = Map<string, YamlNode>;

/** Null: there are no labels of Traefik in these documents. */
export function treeOfLabels(roots: readonly YamlNode[]): YamlNode | null {
  const http: Fields = new Map();
  for (const { path, value, line } of roots.flatMap(labelsIn)) add(http, path, value, line);
  if (http.size === 0) return null;
  const fields = new Map([["http", nodeOf("http", 1, { fields: http })]]);
  return nodeOf("", 1, { fields });
}

interface Label {
  readonly path: readonly string[];
  readonly value: string;
  readonly line: number;
}

/** Compose writes a dollar sign as two. */
const labelOf = (name: string, value: string, line: number): readonly Label[] => {
  const [, path] = LABEL.exec(name.trim()) ?? [];
  if (path === undefined) return [];
  return [{ path: path.split("."), value: value.replaceAll("$$", "$"), line }];
};

function labelsIn(node: YamlNode): readonly Label[] {
  const own =
    node.name === "labels"
      ? childrenOf(node).flatMap((each): readonly Label[] => {
          if (each.name !== "") return labelOf(each.name, textIn(each), each.line);
          const [, name, value] = /^([^=]*)=(.*)$/s.exec(textIn(each)) ?? [];
          return name === undefined ? [] : labelOf(name, value!, each.line);
        })
      : [];
  return [...own, ...childrenOf(node).flatMap(labelsIn)];
}

/** Names of routers and middlewares have no dots, so that each part of a label is a field. */
function add(into: Fields, path: readonly string[], value: string, line: number): void {
  let fields = into;
  for (const name of path.slice(0, -1)) {
    const known = fields.get(name)?.fields as Fields | null | undefined;
    const next = known ?? new Map<string, YamlNode>();
    if (!known) fields.set(name, nodeOf(name, line, { fields: next }));
    fields = next;
  }
  const name = path.at(-1)!;
  const isList = /^(?:middlewares|entrypoints|excludedips)$/i.test(name);
  const items = value.split(",").map((each) => nodeOf("", line, { value: each.trim() }));
  fields.set(name, nodeOf(name, line, isList ? { items } : { value }));
}

const nodeOf = (
  name: string,
  line: number,
  rest: Partial<Pick<YamlNode, "value" | "fields" | "items">>,
): YamlNode => ({ name, line, value: null, fields: null, items: null, ...rest });
