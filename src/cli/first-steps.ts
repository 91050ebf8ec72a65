// What a reader can do first, as questions with a command each: for `weir` without a command, and the end of `npm start`.
import { commandLine } from "../kit/command-line.ts";
import { wrap } from "../kit/reading/table.ts";

/** Ten minutes of 41 clients that come with Weir: the path in the package. */
export const SAMPLE_LOG = "samples/access.log.gz";

const PURPOSE = "Weir shows what an API rate limit really does, before your clients find out.";

type Questions = readonly (readonly [question: string, words: string])[];

const WHICH_LIMIT = ["Which limit?", `recommend ${SAMPLE_LOG} --per 1m`] as const;
const WHICH_CLIENTS = ["Which clients get a 429?", `replay ${SAMPLE_LOG} --limit 60/1m`] as const;
const WHICH_ALGORITHM = ["Which algorithm?", "try --limit 100/1m --clients 50 --rate 3/s"] as const;

const QUESTIONS: Questions = [
  WHICH_LIMIT,
  WHICH_CLIENTS,
  WHICH_ALGORITHM,
  ["Why this 429?", "explain FILE REQUEST"],
  ["Does it hold in a crash?", "new fleet/crash --from dying-gateway"],
  ["What does that server do?", "identify URL"],
  ["What does a limit cost?", "bench --quick"],
  ["Can I look at it?", "site --open"],
];

const WIDTH = 80;
const GAP = 2;

/** One line for each question. If a command has no space next to its question, each is below its own. */
export function questionsText(columns: number): string {
  const width = Math.max(...QUESTIONS.map(([question]) => question.length)) + GAP;
  const longest = Math.max(...QUESTIONS.map(([, words]) => commandLine(words).length));
  const between = (question: string): string =>
    width + longest <= Math.min(columns, WIDTH) ? " ".repeat(width - question.length) : "\n  ";
  return [
    ...paragraph(PURPOSE, columns),
    "",
    ...QUESTIONS.map(([question, words]) => `${question}${between(question)}${commandLine(words)}`),
    "",
    ...paragraph(YOUR_OWN, columns),
    ...paragraph(`All commands: ${commandLine("--help")}`, columns),
  ].join("\n");
}

const YOUR_OWN = `${SAMPLE_LOG} comes with Weir; name your own access log in its place.`;

const paragraph = (text: string, columns: number): readonly string[] =>
  wrap(text, Math.min(columns, WIDTH));

/** Three commands that need nothing but what is installed. */
export const nextText = (): string =>
  [
    PURPOSE,
    `Try next, with ${SAMPLE_LOG} or with an access log of your own:`,
    ...[WHICH_LIMIT, WHICH_CLIENTS, WHICH_ALGORITHM].map(
      ([question, words]) => `\n${question}\n  ${commandLine(words)}`,
    ),
  ].join("\n");
