// The way of a request through vcl_recv: which calls of vsthrottle it meets, and which status ends it.
import type { VclBranch, VclStatement, VclToken } from "./parse.ts";
import {
  conditionOf,
  textOf,
  type DenialCall,
  type ExpressionContext,
  type VclCondition,
  type VclPassage,
  type VclText,
} from "./read-expressions.ts";

type Step =
  | { readonly kind: "if"; readonly branches: readonly StepBranch[] }
  | { readonly kind: "set"; readonly target: string; readonly value: VclText | null }
  | { readonly kind: "end"; readonly status: number | null } // null: it goes on to its backend or the cache
  | { readonly kind: "leave" } // the subroutine
  | { readonly kind: "call"; readonly steps: readonly Step[] };

interface StepBranch {
  readonly condition: VclCondition | null;
  readonly steps: readonly Step[];
}

export type VclFlow = readonly Step[];

export interface FlowContext {
  readonly contextAt: (branch: VclBranch) => ExpressionContext;
  readonly expressions: ExpressionContext;
  readonly bodyOf: (name: string) => readonly VclStatement[] | null;
  readonly noteCircle: (statement: VclStatement) => void;
  /** A variable that is set to a value which this reader does not know. */
  readonly noteUnknown: (statement: VclStatement, target: string) => void;
  /** A variable that has a value of its own from here on, for every request. */
  readonly noteSet: (target: string) => void;
}

/** `within`: names of the subroutines that are being compiled. */
export const flowOf = (
  statements: readonly VclStatement[],
  context: FlowContext,
  within: readonly string[],
): VclFlow => statements.flatMap((each) => stepOf(each, context, within) ?? []);

function stepOf(
  statement: VclStatement,
  context: FlowContext,
  within: readonly string[],
): Step | null {
  switch (statement.kind) {
    case "if":
      return {
        kind: "if",
        branches: statement.branches.map((branch) => ({
          condition:
            branch.condition === null
              ? null
              : conditionOf(branch.condition, context.contextAt(branch)),
          steps: flowOf(branch.body, context, [...within, "if"]),
        })),
      };
    case "set": {
      const value = textOf(statement.value, context.expressions);
      if (value === null) context.noteUnknown(statement, statement.target);
      else if (!within.includes("if")) context.noteSet(statement.target);
      return { kind: "set", target: statement.target, value };
    }
    case "unset":
      if (!within.includes("if")) context.noteSet(statement.target);
      return { kind: "set", target: statement.target, value: () => "" };
    case "return":
      return statement.words.length === 0
        ? { kind: "leave" }
        : { kind: "end", status: statusOf(statement.words) };
    case "call": {
      const { name } = statement;
      const body = context.bodyOf(name);
      if (within.includes(name)) context.noteCircle(statement);
      if (body === null || within.includes(name)) return null;
      return { kind: "call", steps: flowOf(body, context, [...within, name]) };
    }
    case "other":
      return null;
  }
}

/** The status of `synth(429, "...")`, of `error 429` or of `fail`; null: the request goes on. */
export function statusOf(words: readonly VclToken[]): number | null {
  const [first, second, third] = words;
  if (first?.text === "fail") return 503;
  const number = first?.text === "synth" ? third : first?.text === "error" ? second : undefined;
  const status = Number(number?.text);
  return status >= 400 ? status : null;
}

export interface FlowOutcome {
  readonly met: ReadonlyMap<DenialCall, string>; // with the key
  readonly status: number | null;
  readonly end: object | null; // the statement that ended it
}

/** Runs a request through the flow. `denied`: the only call that denies it. */
export function runFlow(
  flow: VclFlow,
  request: VclPassage["request"],
  denied: DenialCall | null,
): FlowOutcome {
  const passage: VclPassage = { request, variables: new Map() };
  const met = new Map<DenialCall, string>();
  let status: number | null = null;
  let end: object | null = null;
  const denies = (call: DenialCall): boolean => {
    const key = call.key(passage);
    if (call.isOptional && key === "") return false; // a difference that the reader notes
    met.set(call, key);
    return call === denied;
  };
  const run = (steps: VclFlow): "on" | "leave" | "end" => {
    for (const step of steps) {
      let next: "on" | "leave" | "end" = "on";
      if (step.kind === "set") {
        if (step.value !== null) passage.variables.set(step.target, step.value(passage));
      } else if (step.kind === "leave") return "leave";
      else if (step.kind === "call") next = run(step.steps) === "end" ? "end" : "on";
      else if (step.kind === "if") {
        const branch = step.branches.find(({ condition }) => condition?.(passage, denies) ?? true);
        if (branch !== undefined) next = run(branch.steps);
      } else {
        ({ status } = step);
        end = step;
        return "end";
      }
      if (next !== "on") return next;
    }
    return "on";
  };
  run(flow);
  return { met, status, end };
}
