// Limits of a RateLimitPolicy: their rates, conditions and counters.
import type { Questions } from "../questions.ts";
import { SOURCE_NAMES, sourceOf, type Source } from "../sources.ts";
import { textIn, type YamlNode, type YamlNotes } from "../yaml-tree.ts";
import { fieldOf, itemsOf, type KubernetesResource } from "../kubernetes/resources.ts";
import type { RequestFacts, RequestTest } from "../reading.ts";
import { celExpressionOf } from "./read-expressions.ts";

interface KuadrantRate {
  readonly node: YamlNode;
  readonly limit: number;
  readonly seconds: number;
}

export interface KuadrantLimit {
  readonly policy: KubernetesResource;
  readonly name: string;
  readonly rates: readonly KuadrantRate[];
  /** The budget of a request; null: the limit does not count it. */
  readonly budgetOf: (request: RequestFacts) => string | null;
}

export interface LimitContext {
  readonly notes: YamlNotes;
  readonly headers: Set<string>;
  readonly questions: Questions;
  readonly problems: string[];
}

export function limitOf(
  policy: KubernetesResource,
  node: YamlNode,
  context: LimitContext,
): KuadrantLimit {
  const { notes } = context;
  const name = node.name;
  for (const field of ["rates", "counters", "when"]) {
    const found = fieldOf(node, field);
    if (found !== null) notes.noteAll(found, "read");
  }
  const tests = testsOf(policy, node, name, context);
  const counters = itemsOf(node, "counters").map((counter) => counterOf(policy, counter, context));
  return {
    policy,
    name,
    rates: itemsOf(node, "rates").flatMap((rate) => rateOf(policy, rate, name, context) ?? []),
    budgetOf: (request) => {
      if (!tests.every((test) => test(request))) return null;
      const values = counters.map((counter) => counter(request));
      return values.includes(null) ? null : values.join(", ");
    },
  };
}

/** The conditions of a policy or a limit. */
export function testsOf(
  policy: KubernetesResource,
  node: YamlNode | null,
  name: string,
  context: LimitContext,
): readonly RequestTest[] {
  return itemsOf(node, "when").map((condition, index) => {
    context.notes.noteAll(condition, "read");
    const written = textIn(fieldOf(condition, "predicate")) || predicateOf(condition);
    const expression = celExpressionOf(written, context.headers);
    if (expression !== null) {
      noteAddress(condition, written, context);
      return (request) => expression(request) === true;
    }
    const question = `when_${name}_${index + 1}`.replaceAll(/\W+/g, "_");
    const taken = context.questions.takeValue(question, "true", {
      file: policy.file,
      line: condition.line,
    });
    context.notes.note(
      condition,
      "question",
      `a log does not have what it tests; it is taken to be ${taken}, and --set ${question}=false changes it`,
    );
    return () => taken === "true";
  });
}

const OPERATORS: Readonly<Record<string, string>> = { eq: "==", neq: "!=" };

/** A condition of versions before v1, as a predicate; empty: it is none. */
function predicateOf(condition: YamlNode): string {
  const [selector, operator, value] = ["selector", "operator", "value"].map((name) =>
    textIn(fieldOf(condition, name)),
  ) as [string, string, string];
  const sign = OPERATORS[operator];
  const text = JSON.stringify(value);
  if (operator === "matches") return `${selector}.matches(${text})`;
  return sign === undefined ? "" : `${selector} ${sign} ${text}`;
}

/** What counts apart. Claims of an identity are not in logs, so another part of the request is taken, as a question. */
function counterOf(policy: KubernetesResource, node: YamlNode, context: LimitContext): Source {
  const field = fieldOf(node, "expression");
  const written = field === null ? textIn(node) : textIn(field);
  const expression = celExpressionOf(written, context.headers);
  if (expression !== null) {
    noteAddress(field ?? node, written, context);
    return (request) => {
      const value = expression(request);
      return value === null ? null : String(value);
    };
  }
  const question = written.replaceAll(/\W+/g, "_").replaceAll(/^_|_$/g, "") || "counter";
  const taken = context.questions.takeValue(question, "remote_address", {
    file: policy.file,
    line: node.line,
  });
  context.notes.note(
    field ?? node,
    "question",
    `logs do not have it; ${taken} is taken, and --set ${question}=header:NAME counts by a header`,
  );
  const source = sourceOf(taken, context.headers);
  if (source !== null) return source;
  context.problems.push(`--set ${question}=${taken} is no source; write ${SOURCE_NAMES}`);
  return () => null;
}

const noteAddress = (node: YamlNode, written: string, { notes }: LimitContext): void => {
  if (/\bsource\.address\b/.test(written))
    notes.note(
      node,
      "not understood",
      "source.address has the port of a connection too, and only the address is taken",
    );
};

const UNITS: Readonly<Record<string, number>> = { h: 3600, m: 60, s: 1, ms: 0.001 };

/** Units of versions before v1. */
const OLD_UNITS: Readonly<Record<string, number>> = {
  second: 1,
  minute: 60,
  hour: 3600,
  day: 86_400,
};

function rateOf(
  policy: KubernetesResource,
  node: YamlNode,
  name: string,
  { problems }: LimitContext,
): KuadrantRate | null {
  const limit = fieldOf(node, "limit")?.value;
  const window = textIn(fieldOf(node, "window"));
  const duration = Number(fieldOf(node, "duration")?.value ?? Number.NaN);
  const seconds =
    window === ""
      ? duration * (OLD_UNITS[textIn(fieldOf(node, "unit"))] ?? Number.NaN)
      : secondsIn(window);
  const fail = (what: string): null => {
    problems.push(`${policy.file}:${node.line}: a rate of the limit ${name} needs ${what}`);
    return null;
  };
  if (typeof limit !== "number" || !Number.isInteger(limit) || limit < 0)
    return fail("a limit, an integer of at least 0");
  return seconds >= 1
    ? { node, limit, seconds }
    : fail(`a window of at least 1s, such as 10s or 1h30m; got ${JSON.stringify(window)}`);
}

/** Whole seconds of a duration of the Gateway API, rounded down. NaN: it is none. */
function secondsIn(text: string): number {
  const parts = [...text.matchAll(/(\d{1,5})(h|ms|m|s)/g)];
  if (parts.length === 0 || parts.map(([whole]) => whole).join("") !== text) return Number.NaN;
  return Math.floor(
    parts.reduce((sum, [, count, unit]) => sum + Number(count) * UNITS[unit!]!, 0) + 1e-9,
  );
}
