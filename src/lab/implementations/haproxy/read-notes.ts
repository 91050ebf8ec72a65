// The roles of the lines of a configuration of HAProxy, and the questions that it leaves open.
import { isSecret, MASK } from "../masked.ts";
import type { OpenQuestion, ReadRole, ReadStatement } from "../reading.ts";
import type { Line, Words } from "./parse.ts";

/** From the least to the most important. */
const ROLES: readonly ReadStatement["role"][] = [
  "irrelevant",
  "read",
  "question",
  "not understood",
];

interface LineNotes {
  role: ReadStatement["role"];
  readonly consequences: Set<string>;
}

export class HaproxyNotes {
  readonly headers = new Set<string>(); // that rules read, in lower case
  readonly questions = new Map<string, OpenQuestion>();
  readonly values: ReadonlyMap<string, string>; // of --set
  readonly #notes = new Map<Line, LineNotes>();

  constructor(values: ReadonlyMap<string, string>) {
    this.values = values;
  }

  note(line: Line, role: ReadStatement["role"], consequence = ""): void {
    const known = this.#notes.get(line) ?? { role, consequences: new Set() };
    if (ROLES.indexOf(role) > ROLES.indexOf(known.role)) known.role = role;
    if (consequence !== "") known.consequences.add(consequence);
    this.#notes.set(line, known);
  }

  /** Takes the value of --set, or `otherwise`, and notes the question. */
  takeValue(name: string, otherwise: string, { file, line }: Pick<Line, "file" | "line">): string {
    const set = this.values.get(name);
    const value = set ?? otherwise;
    this.questions.set(name, { name, file, line, value, isSet: set !== undefined });
    return value;
  }

  /** Whether an unknown condition holds. */
  takeTruth(name: string, isTaken: boolean, at: Line, why: string): boolean {
    const isTrue = /^(?:true|1|yes)$/.test(this.takeValue(name, `${isTaken}`, at));
    this.note(at, "question", `${name} is taken to be ${isTrue}: ${why}`);
    return isTrue;
  }

  /** The statement of a line, with `otherwise` if no rule has it. */
  statementOf(line: Line, otherwise: ReadRole): ReadStatement {
    const noted = this.#notes.get(line);
    const { file, words } = line;
    const role: ReadRole =
      noted === undefined
        ? otherwise
        : { role: noted.role, consequence: [...noted.consequences].join("; ") };
    const open = role.role === "irrelevant" ? this.#openHeader(words) : null;
    return { file, line: line.line, text: textOf(words), ...(open ?? role) };
  }

  /** A rule that changes a header that identifies clients. */
  #openHeader([first, action = "", name = ""]: Words): ReadRole | null {
    return first === "http-request" &&
      /^(?:set|add|del|replace)-/.test(action) &&
      this.headers.has(name.toLowerCase())
      ? {
          role: "not understood",
          consequence: `rules read the header ${name}, and this reader takes it as the client sent it`,
        }
      : null;
  }
}

const PARTS_OF_CONDITIONS =
  /^(?:-\w|str|beg|end|sub|dir|dom|reg|found|len|bool|ip|int|gt|ge|lt|le|eq)$/;

/** The words of a line, without what follows a secret name. */
function textOf(words: Words): string {
  let isHidden = false;
  return words
    .map((word, index) => {
      if (/^(?:\}|if|unless|table)$/.test(word)) isHidden = false;
      const shown = isHidden && !PARTS_OF_CONDITIONS.test(word) ? MASK : word;
      if (isSecret(word) || (word === "auth" && words[index - 1] === "stats")) isHidden = true;
      return shown;
    })
    .join(" ");
}
