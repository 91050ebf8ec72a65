// The programs for which weir recommend --to writes a limit: flags, errors, answers and files have them from here.
import { specCalled } from "../limiter/spec/by-algorithm.ts";

export interface TranslatedTarget {
  /** The implementation that decides most like an algorithm. */
  readonly implementationFor: (algorithm: string) => string;
  /** Why Weir writes one limit of each request for it; null: it writes several. */
  readonly whyOne: string | null;
  /** Whether a limit has counted what a later one refuses. */
  readonly isInOrder: (algorithm: string) => boolean;
}

/** HAProxy's rate of requests counts refused ones too. */
const countsRequests = (algorithm: string): boolean =>
  specCalled(algorithm)?.countsAttempts === true;

const TYK: Readonly<Record<string, string>> = {
  drl: "drl",
  sentinel: "sentinel",
  fixed_window: "fixed-window",
};

const TARGETS = new Map<string, TranslatedTarget>([
  ["nginx", { implementationFor: () => "nginx", whyOne: null, isInOrder: () => false }],
  [
    "haproxy",
    {
      implementationFor: (algorithm) =>
        countsRequests(algorithm) ? "haproxy/rate" : "haproxy/admitted",
      whyOne: null,
      isInOrder: countsRequests,
    },
  ],
  ["envoy", { implementationFor: () => "envoy", whyOne: null, isInOrder: () => true }],
  [
    "spring",
    {
      implementationFor: () => "spring-cloud-gateway",
      whyOne: "Weir writes one limit for a route of Spring Cloud Gateway",
      isInOrder: () => false,
    },
  ],
  [
    "tyk",
    {
      implementationFor: (algorithm) => `tyk/${TYK[algorithm] ?? "rolling-window"}`,
      whyOne: "Weir writes one limit for an API of Tyk",
      isInOrder: () => false,
    },
  ],
]);

export const TRANSLATED_NAMES: readonly string[] = [...TARGETS.keys()];

export const targetNamed = (name: string): TranslatedTarget => TARGETS.get(name)!;
