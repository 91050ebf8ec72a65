// Explains the choice in five sentences.
import { oneLine, plural } from "../../kit/reading/legible.ts";
import { percent, thousands } from "../replay/table.ts";
import type { RecommendedCandidate, UnexplainedRecommendation } from "./result.ts";
import { cutText, exactPercent, intervalText, isOneBudget, nameOf } from "./text.ts";

export function explainChoice(document: UnexplainedRecommendation): readonly string[] {
  const { choice, candidates, target, cut } = document;
  if (choice === null && cut !== null && cut.searched < cut.of)
    return [`No candidate that was searched meets the target: ${cutText(cut)}.`];
  if (choice === null)
    return [
      `No candidate meets the target: allow more than ${exactPercent(target.requests)} of the requests${isOneBudget(document) ? "" : ` and ${exactPercent(target.clients)} of the clients`}, or choose another --algorithm.`,
    ];
  const chosen = candidates[choice]!;
  if (isOneBudget(document))
    return [
      `Limit all clients together to ${chosen.limit} by ${nameOf(chosen)}.`,
      refusalSentence(chosen, document),
      leastSentence(chosen, document),
      "All requests share one counter, so that nothing shows what other clients need.",
      `${sentenceCase(kneeClause(chosen, document))}.`,
    ];
  return [
    `Limit each client to ${chosen.limit} by ${nameOf(chosen)}.`,
    refusalSentence(chosen, document),
    leastSentence(chosen, document),
    intervalSentence(chosen, document),
    kneeSentence(chosen, document),
  ];
}

function refusalSentence(
  { rate, refused, refusedShare, refusedClients, refusedClientShare, ...of }: RecommendedCandidate,
  document: UnexplainedRecommendation,
): string {
  const { requests, clients, target } = document;
  const isByRequests =
    isOneBudget(document) || (of.rateForRequests ?? 0) >= (of.rateForClients ?? 0);
  const missed = isByRequests
    ? `${exactPercent(target.requests)} of the requests`
    : `requests of more than ${exactPercent(target.clients)} of the clients`;
  const below =
    rate === 1
      ? "no rate is lower than 1"
      : `a rate of ${thousands(rate! - 1)} would refuse ${isByRequests ? "more than " : ""}${missed}`;
  const ofClients = isOneBudget(document)
    ? ""
    : `, of ${thousands(refusedClients)} of ${thousands(clients)} clients (${percent(refusedClientShare)})`;
  return `It refuses ${thousands(refused)} of ${thousands(requests)} requests (${percent(refusedShare)})${ofClients}; ${below}.`;
}

function leastSentence(chosen: RecommendedCandidate, document: UnexplainedRecommendation): string {
  const { candidates } = document;
  const others = candidates.filter(
    (each) => each !== chosen && each.perUs === chosen.perUs && each.rate !== null,
  );
  if (chosen.mostInWindow === null)
    return `The most that ${nameOf(chosen)} admits in any window is unknown, because it decides as another limiter does.`;
  const own = `In any window it admits at most ${thousands(chosen.mostInWindow)} ${plural(chosen.mostInWindow, "request")}${isOneBudget(document) ? "" : " of a client"}`;
  const known = others.flatMap(({ mostInWindow }) => mostInWindow ?? []);
  if (known.length === 0) return `${own}.`;
  const least = Math.min(...known);
  if (least < chosen.mostInWindow)
    return `${own}; a candidate that admits fewer lets requests wait, or misses the target if requests have other times within a second.`;
  return least === chosen.mostInWindow
    ? `${own}, and no other candidate fewer.`
    : `${own}, and every other candidate that meets the target up to ${thousands(least)} or more.`;
}

function intervalSentence(
  { interval }: RecommendedCandidate,
  { clients, resamples }: UnexplainedRecommendation,
): string {
  return interval === null
    ? "With one client in the log, nothing shows what other clients need."
    : `Of ${thousands(resamples)} random draws of the ${thousands(clients)} clients, 95 % need ${intervalText(interval)}.`;
}

function kneeSentence(chosen: RecommendedCandidate, document: UnexplainedRecommendation): string {
  const next = chosen.edge.find(({ refused }) => refused === 0);
  const nearest =
    next === undefined
      ? "No admitted client is near this rate"
      : `The next client that a lower rate would refuse is ${oneLine(next.client)}, from ${thousands(next.peak! - 1)} on`;
  return `${nearest}, and ${kneeClause(chosen, document)}.`;
}

function kneeClause(
  { rate, knee }: RecommendedCandidate,
  { requests }: UnexplainedRecommendation,
): string {
  if (knee === null) return "the curve of refused requests has no knee";
  const at = `the knee is at ${thousands(knee.rate)}, where ${percent(knee.refused / requests)} are refused`;
  return knee.rate < rate!
    ? `${at}: between the two, each step of the rate saves few requests`
    : at;
}

const sentenceCase = (clause: string): string => clause[0]!.toUpperCase() + clause.slice(1);
