// Inserts switches into the text of a module, for functions of its top level, exported or not. Calls inside the module
// go through the switches too.
import { parse, type Expression, type FunctionDeclaration, type Statement } from "acorn";

interface Edit {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

/**
 * `address` names the module; `wanted` are names of functions, or `object.function`. `switchboard` is the module with the
 * switches. Throws if a name is no function of the module's top level.
 */
export function insertSwitches(
  source: string,
  address: string,
  wanted: readonly string[],
  switchboard: string,
): string {
  const { body } = parse(source, { ecmaVersion: "latest", sourceType: "module" });
  const members = membersOf(wanted);
  const edits: Edit[] = [];
  const head = [
    `import { createSwitch as $switch, createSwitches as $switches } from ${text(switchboard)};`,
  ];
  for (const node of body) {
    const isExported = node.type === "ExportNamedDeclaration";
    const declaration = isExported ? node.declaration : (node as Statement);
    if (declaration?.type === "FunctionDeclaration") {
      const { name } = declaration.id;
      if (!members.has(name)) continue;
      edits.push(...renameFunction(declaration, node.start));
      // The switch is hoisted like the function that it replaces, so code above the function can call it too.
      head.push(`const ${name}$switch = $switch(${text(`${address}#${name}`)}, ${name}$right);`);
      head.push(
        `${isExported ? "export " : ""}function ${name}(...args) { return ${name}$switch(...args); }`,
      );
      members.delete(name);
    } else if (declaration?.type === "VariableDeclaration") {
      for (const { id, init } of declaration.declarations) {
        if (id.type !== "Identifier" || init === null || init === undefined) continue;
        const chosen = members.get(id.name);
        if (chosen === undefined) continue;
        edits.push(...wrapExpression(init, `${address}#${id.name}`, chosen));
        members.delete(id.name);
      }
    }
  }
  for (const name of members.keys())
    throw new Error(`${address} has no function "${name}" at its top level`);
  return `${head.join("")}${applyEdits(source, edits)}`;
}

/** The wanted functions of each object; an empty list for a name that is a function itself. */
function membersOf(wanted: readonly string[]): Map<string, string[]> {
  const members = new Map<string, string[]>();
  for (const name of wanted) {
    const [own = "", member] = name.split(".");
    const known = members.get(own) ?? [];
    if (member !== undefined) known.push(member);
    members.set(own, known);
  }
  return members;
}

const renameFunction = (
  { id, start }: FunctionDeclaration & { id: { end: number } },
  from: number,
): Edit[] => [
  { from, to: start, text: "" }, // removes `export`
  { from: id.end, to: id.end, text: "$right" },
];

const wrapExpression = (
  { start, end }: Expression,
  address: string,
  chosen: readonly string[],
): Edit[] => [
  {
    from: start,
    to: start,
    text:
      chosen.length === 0
        ? `$switch(${text(address)}, `
        : `$switches(${text(address)}, ${JSON.stringify(chosen)}, `,
  },
  { from: end, to: end, text: ")" },
];

function applyEdits(source: string, edits: readonly Edit[]): string {
  let at = 0;
  let result = "";
  for (const edit of edits.toSorted((a, b) => a.from - b.from)) {
    result += source.slice(at, edit.from) + edit.text;
    at = edit.to;
  }
  return result + source.slice(at);
}

const text = (value: string): string => JSON.stringify(value);
