// The roles of the lines of a configuration of HAProxy, and the questions that it leaves open.
import { isSecret, MASK } from "../masked.ts";
import { Questions } from "../questions.ts";
import type { ReadRole, ReadStatement } from "../reading.ts";
import { graver, misunderstood } from "../roles.ts";
import type { Line, Words } from "./parse.ts";

interface LineNotes {
  role: ReadStatement["role"];
  readonly consequences: Set<string>;
}

export class HaproxyNotes {
  readonly headers = new Set<string>(); // that rules read, in lower case
  readonly questions: Questions;
  readonly #notes = new Map<Line, LineNotes>();

  constructor(values: ReadonlyMap<string, string>) {
    this.questions = new Questions(values);
  }

  note(line: Line, role: ReadStatement["role"], consequence = ""): void {
    const known = this.#notes.get(line) ?? { role, consequences: new Set() };
    known.role = graver(known.role, role);
    if (consequence !== "") known.consequences.add(consequence);
    this.#notes.set(line, known);
  }

  /** Whether an unknown condition holds. */
  takeTruth(name: string, isTaken: boolean, at: Line, why: string): boolean {
    const isTrue = /^(?:true|1|yes)$/.test(this.questions.takeValue(name, `${isTaken}`, at));
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
      ? misunderstood(
          `rules read the header ${name}, and this reader takes it as the client sent it`,
        )
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
