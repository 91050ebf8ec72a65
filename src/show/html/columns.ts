// Documents by columns: the values of each field one after the other, over all objects of a list and over all lists of a
// field. The lists of a document are much alike, and compressed their columns take two thirds of the rows.

type Json = unknown;

/** Values of one kind, or of several kinds in the order of `kinds`. */
export type PackedColumn =
  | { readonly values: readonly Json[] }
  | { readonly lengths: readonly number[]; readonly items: PackedColumn }
  | { readonly count: number; readonly fields: Readonly<Record<string, PackedColumn>> }
  | { readonly kinds: string; readonly of: Readonly<Partial<Record<Kind, PackedColumn>>> };

type Kind = "list" | "object" | "value" | "absent";

/** In `kinds` one letter each. */
const LETTERS: Readonly<Record<Kind, string>> = { list: "l", object: "o", value: "v", absent: "-" };
const KINDS = new Map(Object.entries(LETTERS).map(([kind, letter]) => [letter, kind as Kind]));

const ABSENT = Symbol("a field that an object lacks");

const kindOf = (value: Json): Kind =>
  value === ABSENT || value === undefined
    ? "absent"
    : Array.isArray(value)
      ? "list"
      : typeof value === "object" && value !== null
        ? "object"
        : "value";

/** Packs values that JSON has. A field that is undefined is absent, as in JSON. */
export function packColumn(values: readonly Json[]): PackedColumn {
  const kinds = values.map(kindOf);
  const present = [...new Set(kinds)];
  if (present.length > 1 || present[0] === "absent") {
    const of: Partial<Record<Kind, PackedColumn>> = {};
    for (const kind of present)
      if (kind !== "absent") of[kind] = packColumn(values.filter((_, at) => kinds[at] === kind));
    return { kinds: kinds.map((kind) => LETTERS[kind]).join(""), of };
  }
  if (present[0] === "list") {
    const lists = values as readonly (readonly Json[])[];
    return { lengths: lists.map(({ length }) => length), items: packColumn(lists.flat()) };
  }
  if (present[0] !== "object") return { values };
  const objects = values as readonly Readonly<Record<string, Json>>[];
  const names = new Set(objects.flatMap((each) => Object.keys(each)));
  const fields = [...names].map((name): readonly [string, PackedColumn] => [
    name,
    packColumn(objects.map((each) => (Object.hasOwn(each, name) ? each[name] : ABSENT))),
  ]);
  return { count: objects.length, fields: Object.fromEntries(fields) };
}

export function unpackColumn(column: PackedColumn): readonly Json[] {
  if ("values" in column) return column.values;
  if ("lengths" in column) {
    const items = unpackColumn(column.items);
    let end = 0;
    return column.lengths.map((length) => items.slice(end, (end += length)));
  }
  if ("kinds" in column) {
    const rest = new Map(
      Object.entries(column.of).map(([kind, of]) => [kind, unpackColumn(of)[Symbol.iterator]()]),
    );
    return Array.from(column.kinds, (letter) => {
      const next = rest.get(KINDS.get(letter)!)?.next();
      return next === undefined ? ABSENT : next.value;
    });
  }
  const fields = Object.entries(column.fields).map(
    ([name, of]) => [name, unpackColumn(of)] as const,
  );
  return Array.from({ length: column.count }, (_, at) => {
    const entries = fields.flatMap(([name, values]) =>
      values[at] === ABSENT ? [] : [[name, values[at]] as const],
    );
    return Object.fromEntries(entries);
  });
}
