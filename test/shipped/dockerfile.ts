// Reads a Dockerfile as far as this project's goes: stages, and arguments of the first lines.

export interface Instruction {
  readonly name: string;
  readonly flags: ReadonlyMap<string, string>;
  readonly words: readonly string[];
  readonly isList: boolean; // written as JSON: no shell takes it apart
}

const lineOf = (text: string): Instruction => {
  const [, name = "", rest = ""] = /^(\w+)\s+(.*)$/.exec(text) ?? [];
  const flags = new Map<string, string>();
  let left = rest;
  for (
    let found;
    (found = /^--([\w-]+)=(\S+)\s+/.exec(left)) !== null;
    left = left.slice(found[0].length)
  )
    flags.set(found[1]!, found[2]!);
  const isList = left.startsWith("[");
  const words = isList
    ? (JSON.parse(left) as readonly string[])
    : name === "RUN"
      ? [left]
      : left.split(/\s+/);
  return { name, flags, words, isList };
};

/** The base image, and all instructions of the last stage and of those that it is made from. */
export function stepsOf(
  dockerfile: string,
  given: Readonly<Record<string, string>>,
): { readonly image: string; readonly steps: readonly Instruction[] } {
  const lines = dockerfile
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"))
    .map(lineOf);
  const values = new Map<string, string>();
  const stages = new Map<string, Instruction[]>();
  const bases = new Map<string, string>();
  let last = "";
  for (const line of lines) {
    if (line.name === "ARG") {
      const [name = "", value = ""] = line.words[0]!.split("=");
      values.set(name, given[name] ?? value);
    } else if (line.name === "FROM") {
      const [from = "", , as = "last"] = line.words;
      last = as;
      stages.set(as, []);
      bases.set(
        as,
        from.replaceAll(/\$\{(\w+)\}/g, (_, name: string) => values.get(name) ?? ""),
      );
    } else stages.get(last)!.push(line);
  }
  let steps: readonly Instruction[] = [];
  let stage = last;
  for (; stages.has(stage); stage = bases.get(stage)!) steps = [...stages.get(stage)!, ...steps];
  return { image: stage, steps };
}

/** HEALTHCHECK has another instruction after its flags. */
export const commandOf = ({ words }: Instruction): readonly string[] =>
  words[0] === "CMD" ? (JSON.parse(words.slice(1).join(" ")) as readonly string[]) : words;
