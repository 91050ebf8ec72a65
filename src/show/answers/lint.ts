// The answer of weir lint: which headers clients can rely on, which not and why, and what to correct first.
import { rateWords } from "../../kit/reading/periods.ts";
import { many, plural, thousands } from "../../kit/reading/legible.ts";
import type { Answer, AnswerSentence } from "../../lab/report/answer.ts";
import type { LintedDialect, UnansweredLint } from "../../studies/lint/result.ts";
import { listWords } from "./words.ts";

type Facts = UnansweredLint;
type Finding = LintedDialect["findings"][number];

export function answerLint(facts: Facts): Answer {
  const errors = errorsSentence(facts);
  if (errors !== null) return [errors];
  if (facts.dialects.length === 0) return [noHeaders(facts)];
  return [
    trustSentence(facts),
    ...otherSentences(facts),
    fixSentence(facts),
    waitSentence(facts),
    limitSentence(facts),
    openSentence(facts),
  ].flatMap((sentence) => sentence ?? []);
}

const UPSTREAM = new Set([502, 503, 504]);

/** Every response is an error of the server, or a key is missing, and no header is wrong; null: some were examined. */
function errorsSentence({
  source,
  responses,
  admitted,
  refused,
  dialects,
}: Facts): AnswerSentence | null {
  const first = responses[0]?.status ?? 0;
  const isKeyMissing = first === 401;
  if (admitted + refused > 0 || (first < 500 && !isKeyMissing) || dialects.some(isWrong))
    return null;
  const like = responses.filter(({ status }) => status === first).length;
  // Responses in a file were sent by another program, whose flags are its own.
  const send = /^https?:/.test(source) ? "Send one with --header Authorization:KEY" : "Send one";
  return {
    id: "trust",
    text: `Not examined: the server answers ${first} to ${like === responses.length ? "each request" : `${like} of ${responses.length} requests`}${isKeyMissing ? ", because a valid key is missing" : ""}. ${isKeyMissing ? send : UPSTREAM.has(first) ? "Start its upstream" : "Correct its error"}, and repeat.`,
    numbers: { status: first, responses: responses.length, like },
  };
}

function noHeaders({ responses, refused, other }: Facts): AnswerSentence {
  const { length } = responses;
  const next =
    other > 0
      ? "correct the error of the server first, or check the URL"
      : "use up the limit, or check the URL";
  const start = refused === 0 && other === 0 ? "No request was refused, and no" : "No";
  return {
    id: "trust",
    text: `${start} response of ${length} has a header about limits, so that clients cannot know when to come back: ${next}.`,
    numbers: { responses: length, refused, other },
  };
}

const isWrong = ({ verdict }: LintedDialect): boolean =>
  verdict !== "valid" && verdict !== "inconclusive";
const isMissing = ({ verdict }: LintedDialect): boolean => verdict === "missing";

const nameOf = ({ title }: LintedDialect): string =>
  title.replace(/ \(RFC \d+\)$/, "").replace(/, (?=draft)/, " ");
const namesOf = (dialects: readonly LintedDialect[]): string => listWords(dialects.map(nameOf));

const errorsOf = ({ findings }: LintedDialect): readonly Finding[] =>
  findings.filter(({ severity }) => severity === "error");

/** The dialect to correct first: Retry-After, because every client has to follow it, else the first wrong one. */
function worstDialect(dialects: readonly LintedDialect[]): LintedDialect | null {
  const wrong = dialects.filter(isWrong);
  return wrong.find(({ dialect }) => dialect === "retry-after") ?? wrong[0] ?? null;
}

function worstFinding({ dialects }: Pick<Facts, "dialects">): Finding | null {
  const worst = worstDialect(dialects);
  return worst === null ? null : (errorsOf(worst)[0] ?? null);
}

const isUntrue = (each: LintedDialect): boolean => isWrong(each) && !isMissing(each);

/** Such as ": Remaining is 1, and 0 more pass before the next refusal (in 2 of 5 responses)". */
function causeWords(dialect: LintedDialect, facts: Facts): string {
  const [error] = errorsOf(dialect);
  if (error === undefined) return "";
  const { title } = dialect;
  const name = [title, nameOf(dialect)].find((each) => error.message.startsWith(`${each} `));
  const message = name === undefined ? error.message : `it${error.message.slice(name.length)}`;
  // The message about an absent header has the number of responses, or concerns all of a kind.
  return `: ${message}${error.code === "LINT-ABSENT" ? "" : placesWords(error, facts)}`;
}

/** " (in 5 of 7 refusals)" if only refusals have the finding, which many headers are absent from otherwise. */
function placesWords({ responses: places }: Finding, { responses, refused }: Facts): string {
  if (responses.length === 1) return "";
  const status = responses[places[0]!]?.status;
  const ofStatus = responses.filter((each) => each.status === status).length;
  const areRefusals =
    status !== undefined &&
    status >= 300 &&
    ofStatus === refused &&
    places.every((at) => responses[at]?.status === status);
  return ` (in ${places.length} of ${areRefusals ? many(refused, "refusal") : many(responses.length, "response")})`;
}

function trustSentence(facts: Facts): AnswerSentence {
  const { dialects } = facts;
  const valid = dialects.filter(({ verdict }) => verdict === "valid");
  const wrong = dialects.filter(isUntrue);
  const untested = dialects.filter(({ verdict }) => verdict === "inconclusive");
  const worst = worstDialect(wrong);
  const missing = dialects.some(isMissing) ? missingWords(facts) : "";
  const places = worst === null ? 0 : (errorsOf(worst)[0]?.responses.length ?? 0);
  const untrusted = worst === null ? "" : `${nameOf(worst)}${causeWords(worst, facts)}`;
  const numbers = { valid: valid.length, wrong: wrong.length, untested: untested.length, places };
  const of = (text: string): AnswerSentence => ({ id: "trust", text: `${text}.`, numbers });
  if (valid.length > 0) {
    const isTestedOnce = valid.some(({ waits }) => waits.enough === 1);
    const trust = isTestedOnce
      ? `Clients can probably trust ${namesOf(valid)} (one test)`
      : `Clients can trust ${namesOf(valid)}`;
    if (wrong.length > 0)
      return of(`${trust}, but not ${untrusted}${missing === "" ? "" : `; ${missing}`}`);
    return of(missing === "" ? trust : `${trust}, but ${missing}`);
  }
  if (wrong.length > 0)
    return of(`Clients cannot trust ${untrusted}${missing === "" ? "" : `; ${missing}`}`);
  if (missing !== "")
    return of(
      untested.length === 0
        ? `Clients cannot know when to come back: ${missing}`
        : `Clients that follow the standard cannot know when to come back: ${missing}`,
    );
  return of(
    `Nothing is wrong with ${namesOf(untested)}, but whether clients can trust ${untested.length === 1 ? "it" : "them"} was not tested: ${openWords(untested)}`,
  );
}

/** The other dialects that clients cannot trust, each with its own cause. */
function otherSentences(facts: Facts): readonly AnswerSentence[] {
  const wrong = facts.dialects.filter(isUntrue);
  const worst = worstDialect(wrong);
  return wrong
    .filter((each) => each !== worst)
    .map((each) => ({
      id: "others",
      text: `Nor can they trust ${nameOf(each)}${causeWords(each, facts)}.`,
      numbers: { places: errorsOf(each)[0]?.responses.length ?? 0 },
    }));
}

/** Every refusal counts: a finding of this kind concerns all of them. */
const missingWords = ({ refused }: Facts): string =>
  refused === 1
    ? "the only refusal has no Retry-After"
    : `none of ${thousands(refused)} refusals has Retry-After`;

function fixSentence(facts: Facts): AnswerSentence | null {
  const worst = worstFinding(facts);
  if (worst === null) return null;
  const errors = facts.dialects.reduce((sum, dialect) => sum + errorsOf(dialect).length, 0);
  const rest = errors === 1 ? "" : `; ${many(errors - 1, "more error")} below`;
  return {
    id: "fix",
    text: `Correct ${worst.header ?? "the headers"} first: ${worst.fix}${rest}.`,
    numbers: { errors },
  };
}

/** What a client that waits as long as Retry-After advertises meets. */
function waitSentence({ dialects }: Facts): AnswerSentence | null {
  const found = dialects.find(({ dialect }) => dialect === "retry-after");
  if (found === undefined || isWrong(found) || found.waits.enough === 0) return null;
  const { enough, needed } = found.waits;
  return {
    id: "wait",
    text: `A client that waits as long as Retry-After advertises is admitted (${many(enough, "test")})${needed === 0 ? "" : ", and one second earlier it is refused"}.`,
    numbers: { enough, needed },
  };
}

/** The limit that the headers advertise; null: they do not agree on one. */
function limitSentence({ dialects, mostBeforeRefusal: most }: Facts): AnswerSentence | null {
  const stated = dialects.filter(({ limit }) => limit !== null);
  const limits = new Set(
    stated.map(({ limit, windowSeconds }) => `${limit!}/${windowSeconds ?? ""}`),
  );
  const [first] = stated;
  if (first === undefined || limits.size > 1) return null;
  // Then a sentence before has the limit, as the cause.
  if (stated.some((each) => errorsOf(each)[0]?.code === "LINT-LIMIT")) return null;
  const { limit, windowSeconds } = first;
  const size =
    windowSeconds === null
      ? `${limit!}, without its window`
      : rateWords(limit!, windowSeconds * 1_000_000);
  return {
    id: "limit",
    text: `${namesOf(stated)} ${plural(stated.length, "advertises", "advertise")} a limit of ${size}.`,
    numbers: {
      limit: limit!,
      ...(windowSeconds === null ? {} : { windowSeconds }),
      ...(most === null ? {} : { most }),
    },
  };
}

/** Each reason why something is not tested: the first one of each dialect, with the dialects that have it. */
const openWords = (open: readonly LintedDialect[]): string =>
  [...Map.groupBy(open, (dialect) => dialect.open[0] ?? "too few responses")]
    .map(([why, all]) => `${why} (${namesOf(all)})`)
    .join("; ");

/** The first reason why a dialect is not tested completely; null: the first sentence has it, or all is tested. */
function openSentence({ dialects, refused }: Facts): AnswerSentence | null {
  if (refused === 0)
    return {
      id: "open",
      text: "No request was refused, so that no wait was tested: send more (--requests), or lower the limit.",
      numbers: { refused },
    };
  const open = dialects.filter((dialect) => dialect.open.length > 0);
  const isFirst = dialects.every(({ verdict }) => verdict === "inconclusive");
  if (open.length === 0 || isFirst) return null;
  return {
    id: "open",
    text: `Not tested: ${openWords(open)}.`,
    numbers: { dialects: open.length },
  };
}
