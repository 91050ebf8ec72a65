// The cases of `imitate.test.ts`: each word by numbers that were computed by hand.
import type { Algorithm } from "#src/limiter/core/algorithms.ts";
import type { Imitation } from "#src/limiter/core/imitation.ts";
import { SECOND } from "#src/kit/units.ts";

export type Words = Partial<Imitation>;

export const times = (count: number, at: number): number[] => Array<number>(count).fill(at);

type Case = [string, Algorithm, Words, readonly number[], readonly number[], readonly number[]];

// The word, the times of requests, and those that are admitted with it and without.
export const CASES: readonly Case[] = [
  [
    "a clock in whole seconds fills the bucket at the edge",
    "gcra",
    { clockResolutionUs: SECOND },
    [...times(5, 0.9), 0.95, ...times(6, 1)],
    [0, 1, 2, 3, 4, 6, 7, 8, 9, 10],
    [0, 1, 2, 3, 4],
  ],
  [
    "refused requests count in two windows",
    "sliding_window_counter",
    { refused: "counted" },
    [...times(10, 0), ...times(5, 1.5)],
    [0, 1, 2, 3, 4],
    [0, 1, 2, 3, 4, 10, 11],
  ],
  [
    "a refused request begins the window anew",
    "fixed_window",
    { refused: "extends" },
    [...times(6, 0), 0.9, 1.1, 2.1],
    [0, 1, 2, 3, 4, 8],
    [0, 1, 2, 3, 4, 7, 8],
  ],
  [
    "the first request of a window counts, also if it is refused",
    "sliding_window_counter",
    { refused: "opens_window", weights: "rounded_down" },
    [...times(5, 0.9), 1, 1.2, 1.4],
    [0, 1, 2, 3, 4, 7],
    [0, 1, 2, 3, 4, 6, 7],
  ],
  [
    "a log has what it admits alone",
    "sliding_log",
    { refused: "free" },
    [...times(6, 0), 0.5, 1],
    [0, 1, 2, 3, 4, 7],
    [0, 1, 2, 3, 4, 7],
  ],
  [
    "and so a client that keeps asking comes in again",
    "sliding_log",
    { refused: "free" },
    [...times(5, 0), ...times(5, 0.5), 1.2],
    [0, 1, 2, 3, 4, 10],
    [0, 1, 2, 3, 4],
  ],
  [
    "windows follow each other since the first request",
    "fixed_window",
    { windowStart: "first_of_key" },
    [...times(5, 0), ...times(5, 1.5), 2.1],
    [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10],
    [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
  ],
  [
    "two windows begin with a request",
    "sliding_window_counter",
    { windowStart: "first_request" },
    [...times(5, 0.5), 1.4, 1.6],
    [0, 1, 2, 3, 4],
    [0, 1, 2, 3, 4, 5, 6],
  ],
  [
    "windows follow each other with a gap of less than a millisecond",
    "fixed_window",
    { windowStart: "drifting" },
    [...times(5, 0), ...times(5, 1.9999), 2.0005, 2.001],
    [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 11],
    [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
  ],
  [
    "what is as old as the window counts",
    "fixed_window",
    { windowEnd: "counted" },
    [...times(5, 0), 1, 1.000001],
    [0, 1, 2, 3, 4, 6],
    [0, 1, 2, 3, 4, 5, 6],
  ],
  [
    "the request that reaches the limit of a client is refused",
    "fixed_window",
    { lastOfWindow: "refused_by_client_limits" },
    times(6, 0),
    [0, 1, 2, 3],
    [0, 1, 2, 3, 4],
  ],
  [
    "a bucket loses the fraction of a token at each admission",
    "token_bucket",
    { tokens: "whole" },
    [...times(5, 0), 0.19, 0.38, 0.57, 0.76],
    [0, 1, 2, 3, 4, 6, 8],
    [0, 1, 2, 3, 4, 6, 7, 8],
  ],
  [
    "the next request pays for the last one, and a second is saved up",
    "token_bucket",
    { tokens: "on_credit" },
    [0, 0.1, 0.2, ...times(7, 10)],
    [0, 2, 3, 4, 5, 6, 7, 8],
    [0, 1, 2, 3, 4, 5, 6, 7],
  ],
  [
    "a bucket gives the rate in a window at most",
    "token_bucket",
    { tokens: "within_window" },
    [...times(5, 0), 0.5, 1, 1],
    [0, 1, 2, 3, 4, 6, 7],
    [0, 1, 2, 3, 4, 5, 6, 7],
  ],
  [
    "a weight is rounded down to whole requests",
    "sliding_window_counter",
    { weights: "rounded_down" },
    [...times(5, 0), 1.1],
    [0, 1, 2, 3, 4, 5],
    [0, 1, 2, 3, 4],
  ],
  [
    "a refusal blocks for a window",
    "fixed_window",
    { blockUs: "per" },
    [...times(6, 0), 0.9, 1, 1.1],
    [0, 1, 2, 3, 4, 7, 8],
    [0, 1, 2, 3, 4, 7, 8],
  ],
  [
    "and a block begins with its first refusal",
    "fixed_window",
    { blockUs: "per" },
    [...times(5, 0), 0.9, 1.2, 1.899999, 1.9],
    [0, 1, 2, 3, 4, 8],
    [0, 1, 2, 3, 4, 6, 7, 8],
  ],
];
