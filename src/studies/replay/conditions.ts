// `--where`: which requests of a log are replayed, such as `status in (401,403)` or `path ~ ^/api/`.
import { Failure, isFailure } from "../../kit/reading/failure.ts";
import { parseSelector, type Selector } from "./selectors.ts";

export interface Condition {
  readonly text: string; // the condition as it was written
  readonly selector: Selector;
  /** Whether a value fulfils the condition. The value is null if the line has no such field. */
  readonly accepts: (value: string | null) => boolean;
}

const CONDITION = /^\s*(\S+?)\s*(!=|>=|<=|==?|>|<|!~|~|\s+not\s+in\b|\s+in\b)\s*(.*?)\s*$/i;

const EXAMPLES = "status = 429, status in (401,403), status >= 400, path ~ ^/api/, method != GET";

export function parseCondition(text: string): Condition | Failure {
  const [, name, rawOperator, value] = CONDITION.exec(text) ?? [];
  if (name === undefined || rawOperator === undefined || value === undefined || value === "")
    return new Failure(`"${text}" is no condition; write it as in ${EXAMPLES}`);
  const selector = parseSelector(name);
  if (isFailure(selector)) return selector;
  const accepts = testOf(rawOperator.trim().toLowerCase().replaceAll(/\s+/g, " "), value);
  return isFailure(accepts) ? accepts : { text, selector, accepts };
}

function testOf(operator: string, value: string): Condition["accepts"] | Failure {
  switch (operator) {
    case "=":
    case "==":
      return (own) => own === unquote(value);
    case "!=":
      return (own) => own !== unquote(value);
    case "~":
    case "!~":
      return patternTest(value, operator === "~");
    case "in":
    case "not in":
      return listTest(value, operator === "in");
    default:
      return numberTest(operator, value);
  }
}

const unquote = (text: string): string => /^(["'])(.*)\1$/.exec(text)?.[2] ?? text;

function patternTest(value: string, isWanted: boolean): Condition["accepts"] | Failure {
  try {
    const pattern = new RegExp(unquote(value), "u");
    return (own) => (own !== null && pattern.test(own)) === isWanted;
  } catch (error) {
    if (error instanceof SyntaxError)
      return new Failure(`${value} is no regular expression: ${error.message}`);
    throw error;
  }
}

function listTest(value: string, isWanted: boolean): Condition["accepts"] | Failure {
  const inside = /^\((.*)\)$/.exec(value)?.[1];
  if (inside === undefined) return new Failure(`${value} is no list; write (401,403)`);
  const values = new Set(inside.split(",").map((each) => unquote(each.trim())));
  return (own) => (own !== null && values.has(own)) === isWanted;
}

function numberTest(operator: string, value: string): Condition["accepts"] | Failure {
  const bound = Number(value);
  if (!Number.isFinite(bound)) return new Failure(`${operator} needs a number; got ${value}`);
  return (own) => {
    const number = own === null || own.trim() === "" ? Number.NaN : Number(own);
    switch (operator) {
      case ">":
        return number > bound;
      case "<":
        return number < bound;
      case ">=":
        return number >= bound;
      default:
        return number <= bound;
    }
  };
}
