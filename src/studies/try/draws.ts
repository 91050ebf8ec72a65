// Draws of random times: traffic that a seed decides is run with several seeds.
import { rng } from "../../kit/chance/rng.ts";
import { micros, type Micros } from "../../kit/units.ts";
import { POPULATIONS } from "./populations.ts";
import type { TriedBursts, TriedRetry, TryQuestion } from "./question.ts";

const USUAL_DRAWS = { least: 2, most: 5 } as const;
/** Requests of all candidates and draws that an ordinary machine decides in a few seconds, with their retries. */
const USUAL_REQUESTS = 600_000;

/** The number of draws unless `--draws` has another one: fewer of much traffic, in which chance evens out sooner. */
export const usualDraws = (requests: number, candidates: number): number =>
  Math.min(
    USUAL_DRAWS.most,
    Math.max(USUAL_DRAWS.least, Math.floor(USUAL_REQUESTS / (requests * candidates))),
  );

/** Bursts without a lateness of their own are late by up to this part of the time between them: no clock is exact. */
const USUAL_LATENESS = 0.01;

export const usualLateness = (everyUs: TriedBursts["everyUs"]): Micros =>
  micros(Math.round(everyUs * USUAL_LATENESS));

type TimedTraffic = Pick<TryQuestion, "clients" | "population" | "rate" | "bursts" | "forUs">;

/** The number of draws of candidates with this retry: one, if no seed can change them. */
export const countDraws = (
  { clients, population, rate, bursts, forUs }: TimedTraffic,
  { behaviour }: TriedRetry,
  wanted: number,
): number =>
  POPULATIONS[population].gaps !== null ||
  hasDrawnStart({ clients, rate, bursts }) ||
  offsetOf({ clients, bursts, forUs }) > 0 ||
  (bursts !== null && bursts.jitterUs > 0) ||
  (behaviour.kind === "backoff" && behaviour.jitter > 0)
    ? wanted
    : 1;

/** Each client begins its bursts at a time of its own below this; 0: all begin at the same time. */
export const offsetOf = ({
  clients,
  bursts,
  forUs,
}: Pick<TryQuestion, "clients" | "bursts" | "forUs">): Micros =>
  bursts === null || bursts.isTogether || clients === 1
    ? micros(0)
    : micros(Math.min(bursts.everyUs, forUs));

/**
 * The first request of a client begins its windows, so that bursts at the same time would always come at the start of a
 * window. Without other requests a burst is the first request in any case.
 */
export const hasDrawnStart = ({ clients, rate, bursts }: StartedTraffic): boolean =>
  rate !== null && bursts !== null && (bursts.isTogether || clients === 1);

type StartedTraffic = Pick<TryQuestion, "clients" | "rate" | "bursts">;

/** When the first burst is sent. */
export const drawFirstBurst = (
  { clients, rate, bursts, forUs }: StartedTraffic & Pick<TryQuestion, "forUs">,
  seed: number,
): Micros =>
  micros(
    bursts !== null && hasDrawnStart({ clients, rate, bursts })
      ? rng(seed, "try/first burst").int(Math.min(bursts.everyUs, forUs))
      : 0,
  );
