// The programs for which weir recommend --to writes a limit: flags, errors, answers and files have them from here.
import { specCalled } from "../limiter/spec/by-algorithm.ts";

export interface TranslatedTarget {
  /** The implementation that decides most like an algorithm. */
  readonly implementationFor: (algorithm: string) => string;
  /** Why it holds one limit of each request; null: it holds several. */
  readonly whyOne: string | null;
}

const TYK: Readonly<Record<string, string>> = {
  drl: "drl",
  sentinel: "sentinel",
  fixed_window: "fixed-window",
};

const TARGETS = new Map<string, TranslatedTarget>([
  ["nginx", { implementationFor: () => "nginx", whyOne: null }],
  [
    "haproxy",
    {
      implementationFor: (algorithm) =>
        specCalled(algorithm)?.countsAttempts === true ? "haproxy/rate" : "haproxy/admitted",
      whyOne: null,
    },
  ],
  ["envoy", { implementationFor: () => "envoy", whyOne: null }],
  [
    "spring",
    {
      implementationFor: () => "spring-cloud-gateway",
      whyOne: "a route of Spring Cloud Gateway has one limit",
    },
  ],
  [
    "tyk",
    {
      implementationFor: (algorithm) => `tyk/${TYK[algorithm] ?? "rolling-window"}`,
      whyOne: "an API of Tyk has one limit",
    },
  ],
]);

export const TRANSLATED_NAMES: readonly string[] = [...TARGETS.keys()];

export const targetNamed = (name: string): TranslatedTarget => TARGETS.get(name)!;
