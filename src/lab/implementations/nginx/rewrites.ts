// What nginx does before it limits a request: `set`, `if`, `return`, `rewrite` and `break`, in their order
// (ngx_http_rewrite_module).
import type { Directive } from "./parse.ts";
import { patternOf, placeProblems } from "./patterns.ts";
import type { Expression, NginxRequest } from "./request.ts";
import { expressionOf, type Variables } from "./variables.ts";

/** `answered`: no limit counts the request. `moved`: a location is searched again. `ended`: no further step is done. */
type StepResult = "next" | "moved" | "answered" | "ended";

export type NginxStep = (at: NginxRequest) => StepResult;

export function stepsOf(
  directives: readonly Directive[],
  variables: Variables,
): readonly NginxStep[] {
  return directives.flatMap(
    (directive) => placeProblems(directive, () => stepOf(directive, variables)) ?? [],
  );
}

/** Does the steps. A `rewrite` without a flag lets the next steps happen before a location is searched again. */
export function doSteps(steps: readonly NginxStep[], at: NginxRequest): StepResult {
  let result: StepResult = "next";
  for (const step of steps) {
    const uri = at.uri;
    const one = step(at);
    if (one === "answered" || one === "moved" || one === "ended") return one;
    if (at.uri !== uri) result = "moved";
  }
  return result;
}

function stepOf(directive: Directive, variables: Variables): NginxStep | null {
  const { name, words, block } = directive;
  switch (name) {
    case "set": {
      const variable = words[0]?.replace(/^\$/, "") ?? "";
      if (!variables.needs(variable)) return null;
      const value = expressionOf(words[1] ?? "", directive, variables);
      variables.noteRead(directive);
      return (at) => {
        const text = value(at);
        if (variable === "args") at.args = text;
        else at.values.set(variable, text);
        return "next";
      };
    }
    case "return":
      return () => "answered";
    case "break":
      return () => "ended";
    case "rewrite":
      return rewriteOf(directive, variables);
    case "if": {
      const inner = stepsOf(block ?? [], variables);
      const isTrue = inner.length === 0 ? null : conditionOf(directive, variables);
      if (isTrue === null) return null;
      variables.noteRead(directive);
      return (at) => (isTrue(at) ? doSteps(inner, at) : "next");
    }
    default:
      return null;
  }
}

function rewriteOf(directive: Directive, variables: Variables): NginxStep {
  const [source = "", replacement = "", flag] = directive.words;
  const pattern = patternOf(source, false);
  const keepsArgs = !replacement.endsWith("?");
  const isAnswer =
    /^(?:https?:\/\/|\$scheme)/.test(replacement) || flag === "redirect" || flag === "permanent";
  variables.noteRead(directive);
  if (isAnswer) return (at) => (pattern(at.uri, at) ? "answered" : "next");
  const result = expressionOf(replacement.replace(/\?$/, ""), directive, variables);
  return (at) => {
    if (!pattern(at.uri, at)) return "next";
    const text = result(at);
    const query = text.indexOf("?");
    if (query >= 0)
      at.args = [text.slice(query + 1), ...(keepsArgs && at.args !== "" ? [at.args] : [])].join(
        "&",
      );
    else if (!keepsArgs) at.args = "";
    at.uri = query < 0 ? text : text.slice(0, query);
    if (flag === "last") return "moved";
    return flag === "break" ? "ended" : "next";
  };
}

/** The condition of an `if`. Null: it depends on files. */
function conditionOf(
  directive: Directive,
  variables: Variables,
): ((at: NginxRequest) => boolean) | null {
  const text = directive.words.map((word, at) => trimBrackets(word, at, directive.words.length));
  const [left = "", sign, ...others] = text.filter(
    (word, at) => word !== "" || (at > 0 && at < text.length - 1) || directive.words[at] === "",
  );
  if (/^!?-[fdex]$/.test(left)) return null;
  const value: Expression = expressionOf(left, directive, variables);
  if (sign === undefined) return (at) => !/^0?$/.test(value(at));
  const right = others.join(" ");
  if (sign === "=" || sign === "!=") {
    const other = expressionOf(right, directive, variables);
    return (at) => (value(at) === other(at)) === (sign === "=");
  }
  const pattern = patternOf(right, sign.endsWith("*"));
  return (at) => pattern(value(at), at) !== sign.startsWith("!");
}

function trimBrackets(word: string, at: number, count: number): string {
  const opened = at === 0 ? word.replace(/^\(/, "") : word;
  return at === count - 1 ? opened.replace(/\)$/, "") : opened;
}
