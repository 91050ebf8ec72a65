// Resources of Kubernetes in files: each with its kind and name, and the statements of all of them.
import { isFailure, type Failure } from "../../../kit/reading/failure.ts";
import type { ConfigurationFile, ReadRole, ReadStatement } from "../reading.ts";
import { IRRELEVANT } from "../roles.ts";
import { parseYaml, textIn, type YamlNode, type YamlNotes } from "../yaml-tree.ts";

export interface KubernetesResource {
  readonly kind: string;
  readonly group: string; // of its apiVersion; empty: core
  readonly version: string; // such as v1
  readonly name: string;
  readonly namespace: string;
  readonly file: string;
  readonly node: YamlNode;
  readonly spec: YamlNode | null;
}

export const fieldOf = (node: YamlNode | null | undefined, path: string): YamlNode | null => {
  let found = node ?? null;
  for (const name of path.split(".")) found = found?.fields?.get(name) ?? null;
  return found;
};

export const itemsOf = (node: YamlNode | null | undefined, path: string): readonly YamlNode[] =>
  fieldOf(node, path)?.items ?? [];

/** Notes the field at a path, and all in it, as read. */
export function readAll(node: YamlNode | null, path: string, notes: YamlNotes): YamlNode | null {
  const found = fieldOf(node, path);
  if (found !== null) notes.noteAll(found, "read");
  return found;
}

export class KubernetesFiles {
  readonly resources: readonly KubernetesResource[];
  readonly #roots: readonly { readonly file: string; readonly roots: readonly YamlNode[] }[];

  constructor(roots: readonly { readonly file: string; readonly roots: readonly YamlNode[] }[]) {
    this.#roots = roots;
    this.resources = roots.flatMap(({ file, roots: all }) =>
      all.flatMap((root) => resourcesIn(root, file)),
    );
  }

  /** Fields without a note have the role that `usual` gives by the kind of their resource and their path in it. */
  statements(
    notes: YamlNotes,
    usual: (kind: string, path: string) => ReadRole,
  ): readonly ReadStatement[] {
    return this.#roots.flatMap(({ file, roots }) =>
      roots.flatMap((root) => {
        const own = resourcesIn(root, file);
        const isList = own.length !== 1 || own[0]!.node !== root;
        const kind = isList ? "" : own[0]!.kind;
        const kinds = [...new Set(own.map((each) => each.kind))];
        return notes.statements(file, [root], (path) => {
          if (!isList) return usual(kind, path);
          const inner = path.replace(/^items\.?/, "");
          return kinds.length === 1 ? usual(kinds[0]!, inner) : IRRELEVANT;
        });
      }),
    );
  }
}

const HAS_RESOURCES = /^[ \t\uFEFF]*(?:- )?["']?apiVersion["']?\s*:/m;

/**
 * Whether a text has resources of Kubernetes. Their descriptions may have the words of any program, as those of
 * generated definitions do.
 */
export const isOfKubernetes = (text: string): boolean =>
  HAS_RESOURCES.test(text) && /^[ \t\uFEFF]*(?:- )?["']?kind["']?\s*:/m.test(text);

/** Reads the main file and those others of its folder that have resources. */
export function readResources(main: ConfigurationFile): KubernetesFiles | Failure {
  const all: { readonly file: string; readonly roots: readonly YamlNode[] }[] = [];
  const others = (main.others ?? []).filter(({ text }) => HAS_RESOURCES.test(text));
  for (const each of [main, ...others]) {
    const roots = parseYaml(each);
    if (isFailure(roots)) return roots;
    all.push({ file: each.file, roots });
  }
  return new KubernetesFiles(all);
}

function resourcesIn(node: YamlNode, file: string): readonly KubernetesResource[] {
  const kind = textIn(fieldOf(node, "kind"));
  if (kind === "List" || (kind === "" && node.items !== null))
    return (node.items ?? itemsOf(node, "items")).flatMap((item) => resourcesIn(item, file));
  const [version = "", group = ""] = textIn(fieldOf(node, "apiVersion")).split("/").toReversed();
  if (kind === "") return [];
  return [
    {
      kind,
      group,
      version,
      name: textIn(fieldOf(node, "metadata.name")),
      namespace: textIn(fieldOf(node, "metadata.namespace")) || "default",
      file,
      node,
      spec: fieldOf(node, "spec"),
    },
  ];
}
