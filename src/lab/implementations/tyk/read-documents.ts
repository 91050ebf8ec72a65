// Which documents of Tyk files have: API definitions of both forms, policies, keys and gateway options.
import { parseYaml, textIn, type YamlNode } from "../yaml-tree.ts";
import { isFailure, type Failure } from "../../../kit/reading/failure.ts";
import type { ConfigurationFile } from "../reading.ts";

export interface TykDocument {
  readonly type: "classic" | "oas" | "policy" | "key" | "options";
  readonly name: string; // of a policy or key: its id, its name in the file, or that of the file
  readonly credential: string; // of a key; empty: no file has it
  readonly file: string;
  readonly node: YamlNode;
}

/** A file with the trees of its documents; the statements of a file come from all of them. */
export interface TykFile {
  readonly file: string;
  readonly roots: readonly YamlNode[];
  readonly documents: readonly TykDocument[];
}

export function readTykFile(written: ConfigurationFile): TykFile | Failure {
  const roots = parseYaml(written);
  if (isFailure(roots)) return roots;
  const documents = roots.flatMap((root) => documentsIn(root, written.file));
  return { file: written.file, roots, documents };
}

const fieldIn = (node: YamlNode, path: string): YamlNode | null => {
  let found: YamlNode | undefined = node;
  for (const name of path.split(".")) found = found?.fields?.get(name);
  return found ?? null;
};

const has = (node: YamlNode, ...paths: readonly string[]): boolean =>
  paths.some((path) => fieldIn(node, path) !== null);

/** Fields of a key that a policy does not have. */
const OF_KEY = [
  "apply_policies",
  "apply_policy_id",
  "expires",
  "allowance",
  "quota_remaining",
  "basic_auth_data",
  "last_check",
];

const OF_OPTIONS = [
  "app_path",
  "use_db_app_configs",
  "tyk_js_path",
  "enable_redis_rolling_limiter",
  "enable_sentinel_rate_limiter",
  "enable_fixed_window_rate_limiter",
];

const baseName = (file: string): string =>
  file
    .split(/[/\\]/)
    .at(-1)!
    .replace(/\.\w+$/, "");

function documentsIn(node: YamlNode, file: string, name = ""): readonly TykDocument[] {
  if (node.items !== null) return node.items.flatMap((item) => documentsIn(item, file, name));
  if (node.fields === null) return [];
  const document = (type: TykDocument["type"], own = name): readonly TykDocument[] => [
    { type, name: own || baseName(file), credential: "", file, node },
  ];
  if (has(node, "x-tyk-api-gateway")) return document("oas");
  const spec = fieldIn(node, "spec");
  if (textIn(fieldIn(node, "apiVersion")).startsWith("tyk.tyk.io/"))
    return spec === null
      ? []
      : documentsIn(spec, file, textIn(fieldIn(node, "metadata.name")) || name);
  for (const wrapper of ["api_definition", "oas", "data"]) {
    const inner = fieldIn(node, wrapper);
    const credential = textIn(fieldIn(node, "key_id"));
    if (inner !== null) {
      const found = documentsIn(inner, file, name);
      const isOfKey = credential !== "";
      if (found.length > 0)
        return found.map((each) =>
          isOfKey && /^(?:policy|key)$/.test(each.type)
            ? { ...each, type: "key", credential }
            : each,
        );
    }
  }
  if (has(node, "proxy.listen_path")) return document("classic");
  if (has(node, ...OF_OPTIONS)) return document("options");
  const listed = ["apis", "Data", "policies"].map((list) => fieldIn(node, list));
  if (listed.some((list) => (list?.items?.length ?? 0) > 0))
    return listed.flatMap((list) =>
      list === null || list.items === null ? [] : documentsIn(list, file),
    );
  if (isAllotment(node)) {
    const own = textIn(fieldIn(node, "id")) || textIn(fieldIn(node, "_id")) || name;
    return document(has(node, ...OF_KEY) ? "key" : "policy", own);
  }
  const children = [...node.fields.values()];
  return children.length > 0 && children.every(isAllotment)
    ? children.flatMap((child) => documentsIn(child, file, child.name))
    : [];
}

/** Whether it has what a policy or a key allots: access rights with a rate or a quota. */
const isAllotment = (node: YamlNode): boolean =>
  has(node, "access_rights", "access_rights_array") &&
  has(node, "rate", "per", "quota_max", "partitions", ...OF_KEY);

/** Words of which a file of Tyk has at least one, so that others are not parsed. */
const SIGNS = new RegExp(
  `["']?(?:x-tyk-api-gateway|listen_path|access_rights|access_rights_array|${OF_OPTIONS.join("|")})["']?\\s*:|^apiVersion:\\s*["']?tyk\\.tyk\\.io/`,
  "m",
);

/** Worlds of Weir have the same API definitions and policies, in maps from names. */
const WORLD = /^[ \t\uFEFF]*(?:\{\s*)?["']?(?:apis|keys|gateway)["']?\s*:(?!\s*\[)/m;

export function isTyk(written: ConfigurationFile): boolean {
  if (!SIGNS.test(written.text)) return false;
  const read = readTykFile(written);
  return isFailure(read) ? !WORLD.test(written.text) : read.documents.length > 0;
}
