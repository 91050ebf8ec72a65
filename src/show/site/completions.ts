// What the JSON Schema of scenarios has for a position: the names that can be written there, and their meanings.
import { ITEM, type Step, type TextPosition } from "./position.ts";

/** A part of a JSON Schema, as `weir schema` prints it. */
export interface SchemaPart {
  readonly $ref?: string;
  readonly anyOf?: readonly SchemaPart[];
  readonly properties?: Readonly<Record<string, SchemaPart>>;
  readonly additionalProperties?: SchemaPart | boolean;
  readonly items?: SchemaPart;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly $defs?: Readonly<Record<string, SchemaPart>>;
}

export interface SchemaName {
  readonly name: string;
  readonly about: string;
}

const MOST_STEPS = 64; // limits recursion in a schema that refers to itself

/** Lists the part and, recursively, the part that it refers to and its alternatives. */
function alternatives(part: SchemaPart, root: SchemaPart, depth = 0): readonly SchemaPart[] {
  if (depth > MOST_STEPS) return [];
  const { $ref, anyOf } = part;
  const referred = $ref === undefined ? undefined : root.$defs?.[$ref.replace("#/$defs/", "")];
  return [
    part,
    ...(referred === undefined ? [] : alternatives(referred, root, depth + 1)),
    ...(anyOf ?? []).flatMap((each) => alternatives(each, root, depth + 1)),
  ];
}

function step(parts: readonly SchemaPart[], to: Step, root: SchemaPart): readonly SchemaPart[] {
  const next = parts.flatMap(({ items, properties, additionalProperties }) => {
    if (to === ITEM) return items === undefined ? [] : [items];
    const named =
      properties !== undefined && Object.hasOwn(properties, to) ? properties[to] : undefined;
    if (named !== undefined) return [named];
    return typeof additionalProperties === "object" ? [additionalProperties] : [];
  });
  return next.flatMap((each) => alternatives(each, root));
}

const partsAt = (path: readonly Step[], root: SchemaPart): readonly SchemaPart[] =>
  path.reduce((parts, each) => step(parts, each, root), alternatives(root, root));

/** The fields or values that can be written at a position, each once. */
export function namesAt(
  { path, kind, siblings }: TextPosition,
  root: SchemaPart,
): readonly SchemaName[] {
  const parts = partsAt(path, root);
  const names = new Map<string, string>();
  const add = (name: string, about: string): void => {
    if (about !== "" || !names.has(name)) names.set(name, about);
  };
  if (kind === "name")
    for (const { properties } of parts)
      for (const [name, part] of Object.entries(properties ?? {}))
        if (!siblings.includes(name)) add(name, part.description ?? "");
  if (kind === "value" || path.at(-1) === ITEM)
    for (const { enum: values = [], const: constant, type } of parts) {
      for (const value of [...values, ...(constant === undefined ? [] : [constant])])
        if (typeof value === "string" || typeof value === "boolean") add(String(value), "");
      if (type === "boolean") for (const value of ["true", "false"]) add(value, "");
    }
  return [...names].map(([name, about]) => ({ name, about }));
}

/** The description of a field, by its path; null if the schema has no such field or no description. */
export function aboutField(path: readonly Step[], root: SchemaPart): string | null {
  const described = partsAt(path, root).find(({ description }) => description !== undefined);
  return described?.description ?? null;
}
