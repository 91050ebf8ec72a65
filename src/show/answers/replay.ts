// The answer of weir replay: what each limit refuses, which clients, and what separates the candidates.
import { countText, percent, plural, thousands } from "../../kit/reading/legible.ts";
import type { Answer, AnswerSentence } from "../../lab/report/answer.ts";
import { FREE_LOG } from "../../studies/replay/choices.ts";
import type { ReplayedCandidate, UnansweredReplay } from "../../studies/replay/result.ts";
import { configurationSentences, idleConfigurations } from "./replay-configurations.ts";
import { priceSentence } from "./replay-price.ts";
import { notesOnReplay } from "./replay-notes.ts";
import { burstNameOf, isOneClient, limitWords, nameOf } from "./replay-words.ts";
import {
  clientWords,
  countWords,
  isConcentrated,
  listWords,
  MOST_NAMED,
  namesOrCount,
  namesWords,
  rangeWords,
  sentenceCase,
  shareRange,
} from "./words.ts";

type Facts = UnansweredReplay;

/** The candidates of one limit, or one world. */
interface LimitGroup {
  readonly limit: string;
  readonly candidates: readonly ReplayedCandidate[];
}

const MOST_LIMITS = 4;

export function answerReplay(facts: Facts): Answer {
  if (facts.requests === 0)
    return [{ id: "refused", text: "No request was replayed.", numbers: { requests: 0 } }];
  const groups = groupsOf(facts);
  return [
    refusalSentence(groups, facts),
    idleConfigurations(facts),
    clientsSentence(groups, facts),
    leaderSentence(facts) ?? commonSentence(groups, facts),
    ...facts.candidates.map((candidate) => fewestSentence(candidate, facts)),
    ownRefusalsSentence(groups),
    priceSentence(facts),
    ...configurationSentences(facts),
    ...notesOnReplay(facts),
  ].flatMap((sentence) => sentence ?? []);
}

function groupsOf({ candidates, key, cost }: Facts): readonly LimitGroup[] {
  const groups = new Map<string, LimitGroup>();
  for (const candidate of candidates) {
    const { world } = candidate;
    const limit =
      world === null
        ? `${limitWords(candidate, cost)}${key === "none" ? " for all clients together" : ""}`
        : clientWords(world);
    const id = candidate.limit ?? `world ${world!}`;
    groups.set(id, { limit, candidates: [...(groups.get(id)?.candidates ?? []), candidate] });
  }
  return [...groups.values()];
}

const refusalsOf = (candidates: readonly ReplayedCandidate[]): readonly number[] =>
  candidates.map(({ refused }) => refused);

/** "211 to 390 of 2,103 requests (10.0 % to 18.5 %)". */
function refusalWords(candidates: readonly ReplayedCandidate[], { requests }: Facts): string {
  const counts = refusalsOf(candidates);
  if (Math.max(...counts) === 0) return `none of the ${countText(requests, "request")}`;
  return `${rangeWords(counts)} of ${countText(requests, "request")} (${shareRange(counts.map((each) => each / requests))})`;
}

function refusalSentence(groups: readonly LimitGroup[], facts: Facts): AnswerSentence {
  const counts = refusalsOf(facts.candidates);
  return {
    id: "refused",
    text: `${groups.length === 1 ? oneLimit(groups[0]!, facts) : severalLimits(groups, facts)}${wholeClause(facts)}${mostLossClause(facts)}.`,
    numbers: {
      requests: facts.requests,
      candidates: counts.length,
      least: Math.min(...counts),
      most: Math.max(...counts),
    },
  };
}

function oneLimit({ limit, candidates }: LimitGroup, facts: Facts): string {
  const [first] = candidates;
  const counts = refusalsOf(candidates);
  const [least, most] = [Math.min(...counts), Math.max(...counts)];
  if (candidates.length === 1)
    return `${first!.world === null ? `${limit} by ${nameOf(first!)}` : limit} refuses ${refusalWords(candidates, facts)}${ofClients(first!, facts)}`;
  if (least === most)
    return `${limit} refuses ${refusalWords([first!], facts)}, whichever of the ${candidates.length} candidates decides`;
  const at = (count: number): readonly ReplayedCandidate[] =>
    candidates.filter(({ refused }) => refused === count);
  const mostShare = percent(most / facts.requests);
  return `At ${limit} ${refusers(at(least), "refuse", burstNameOf)} least, ${refusalWords(at(least).slice(0, 1), facts)}${onlyVictim(at(least), facts)}, and ${refusers(at(most), "", burstNameOf)} most, ${thousands(most)} (${mostShare})`;
}

/** ", all of client 192.0.2.10" if the candidates refuse that client alone, and others refuse more clients. */
function onlyVictim(candidates: readonly ReplayedCandidate[], facts: Facts): string {
  const client = candidates[0]!.clients[0]?.client;
  if (client === undefined || isOneClient(facts) || wholeReason(facts) !== null) return "";
  return candidates.every(
    ({ refusedClients, clients }) => refusedClients === 1 && clients[0]?.client === client,
  )
    ? `, all of client ${clientWords(client)}`
    : "";
}

/** "a token bucket refuses", "a fixed window and a token bucket refuse". */
function refusers(
  candidates: readonly ReplayedCandidate[],
  verb = "refuse",
  nameBy = nameOf,
): string {
  const names = namesOrCount(candidates.map(nameBy), "candidates");
  return verb === "" ? names : `${names} ${plural(candidates.length, `${verb}s`, verb)}`;
}

/** The counts of a limit are a range if its algorithms differ: the end has which ones refuse least and most. */
function severalLimits(groups: readonly LimitGroup[], facts: Facts): string {
  const ranges = groups.filter(({ candidates }) => new Set(refusalsOf(candidates)).size > 1);
  const text = limitsCompared(groups, facts);
  return ranges.length === 0
    ? sentenceCase(text)
    : `Depending on the algorithm, ${text}${endsOf(ranges)}`;
}

/** ": a token bucket least, GCRA most", or of the first limit if other limits have other ends. */
function endsOf(ranges: readonly LimitGroup[]): string {
  const [first, ...others] = ranges.map(({ limit, candidates }) => {
    const counts = refusalsOf(candidates);
    const at = (count: number): string => {
      const own = candidates.filter(({ refused }) => refused === count);
      return refusers(own, "", burstNameOf);
    };
    return { limit, ends: `${at(Math.min(...counts))} least, ${at(Math.max(...counts))} most` };
  });
  const where = others.every(({ ends }) => ends === first!.ends) ? ":" : `; at ${first!.limit}`;
  return `${where} ${first!.ends}`;
}

function limitsCompared(groups: readonly LimitGroup[], facts: Facts): string {
  if (groups.length > MOST_LIMITS) {
    const most = ({ candidates }: LimitGroup): number => Math.max(...refusalsOf(candidates));
    const sorted = groups.toSorted((a, b) => most(a) - most(b));
    const [low, high] = [sorted[0]!, sorted.at(-1)!];
    return `of ${groups.length} limits ${low.limit} refuses least, ${refusalWords(low.candidates, facts)}, and ${high.limit} most, ${rangeWords(refusalsOf(high.candidates))}`;
  }
  const [first, ...others] = groups;
  const rest = others.map(({ limit, candidates }) => {
    const counts = refusalsOf(candidates);
    return Math.max(...counts) === 0
      ? `${limit} none`
      : `${limit} ${rangeWords(counts)} (${shareRange(counts.map((each) => each / facts.requests))})`;
  });
  return listWords([`${first!.limit} refuses ${refusalWords(first!.candidates, facts)}`, ...rest]);
}

const refusing = ({ candidates }: Facts): readonly ReplayedCandidate[] =>
  candidates.filter(({ refused }) => refused > 0);

/** The client that has all refusals of all candidates; null: there is no such client among several. */
function wholeReason(facts: Facts): string | null {
  const [first, ...others] = refusing(facts);
  if (first === undefined || isOneClient(facts)) return null;
  const client = first.clients[0]?.client ?? null;
  return [first, ...others].every(
    ({ refusedClients, clients }) => refusedClients === 1 && clients[0]?.client === client,
  )
    ? client
    : null;
}

function wholeClause(facts: Facts): string {
  const client = wholeReason(facts);
  return client === null
    ? ""
    : `, all of client ${clientWords(client)}${ownShare(facts)}; no other client is refused`;
}

/** " (74.8 % of its requests)", of the client with all refusals. */
function ownShare(facts: Facts): string {
  const shares = refusing(facts).map(({ clients: [own] }) => own!.refused / own!.requests);
  return ` (${shareRange(shares)} of its requests)`;
}

/** "; 192.0.2.10 loses most, 299 of its 450 requests", if one client loses most by each candidate; it is not alone. */
function mostLossClause(facts: Facts): string {
  const hurt = refusing(facts);
  const client = hurt[0]?.clients[0]?.client;
  if (client === undefined || isOneClient(facts) || wholeReason(facts) !== null) return "";
  const own = hurt.map(({ clients: [first, second] }) =>
    first?.client === client && (second === undefined || second.refused < first.refused)
      ? first
      : null,
  );
  if (own.includes(null)) return "";
  const [{ requests }] = own as [NonNullable<(typeof own)[number]>];
  const counts = own.map((each) => each!.refused);
  const shares = shareRange(counts.map((each) => each / requests));
  return `; ${clientWords(client)} loses most, ${rangeWords(counts)} of its ${thousands(requests)} (${shares})`;
}

const ofClients = ({ refused, refusedClients }: ReplayedCandidate, facts: Facts): string =>
  refused === 0 || isOneClient(facts) || wholeReason(facts) !== null
    ? ""
    : `, of ${thousands(refusedClients)} of ${thousands(facts.clients)} clients`;

/** How many clients each limit or candidate refuses; null: the first sentence has it. */
function clientsSentence(groups: readonly LimitGroup[], facts: Facts): AnswerSentence | null {
  const hurt = refusing(facts);
  if (hurt.length === 0 || isOneClient(facts) || wholeReason(facts) !== null) return null;
  const counts = facts.candidates.map(({ refusedClients }) => refusedClients);
  const [least, most] = [Math.min(...counts), Math.max(...counts)];
  const numbers = { clients: facts.clients, least, most };
  const all = thousands(facts.clients);
  if (groups.length > MOST_LIMITS)
    return {
      id: "clients",
      text: `They refuse ${rangeWords(counts, countWords)} of ${all} clients.`,
      numbers,
    };
  if (groups.length > 1) {
    const parts = groups.map(({ limit, candidates }, index) => {
      const own = rangeWords(
        candidates.map(({ refusedClients }) => refusedClients),
        countWords,
      );
      return index === 0 ? `${limit} refuses ${own} of ${all} clients` : `${limit} ${own}`;
    });
    return { id: "clients", text: `${listWords(parts)}.`, numbers };
  }
  if (facts.candidates.length === 1) return null;
  const at = (count: number): readonly ReplayedCandidate[] =>
    facts.candidates.filter(({ refusedClients }) => refusedClients === count);
  const by = (count: number): string => `by ${refusers(at(count), "")} ${countWords(count)}`;
  const text =
    least === most
      ? `Each of them refuses ${thousands(least)} of ${all} clients.`
      : `${sentenceCase(`by ${refusers(at(least), "")}`)} ${countWords(least)} of ${all} clients ${plural(least, "is", "are")} refused, ${by(most)}.`;
  return { id: "clients", text, numbers };
}

/** The client that has at least half of the refusals of every candidate; null: none, or it has all of them. */
function leaderSentence(facts: Facts): AnswerSentence | null {
  const hurt = refusing(facts);
  const client = hurt[0]?.clients[0]?.client;
  if (client === undefined || hurt.length === 1) return null;
  if (isOneClient(facts) || wholeReason(facts) !== null) return null;
  const shares = hurt.map(({ refused, clients }) =>
    clients[0]?.client === client ? clients[0].refused / refused : 0,
  );
  const least = Math.min(...shares);
  if (least < 0.5) return null;
  return {
    id: "leader",
    text: `Client ${clientWords(client)} is the main reason: ${shareRange(shares)} of the refusals of each candidate are its own.`,
    numbers: { least, most: Math.max(...shares) },
  };
}

/** The clients that every limit and algorithm refuses; null: none, or another sentence names them. */
function commonSentence(groups: readonly LimitGroup[], facts: Facts): AnswerSentence | null {
  const [first, ...others] = refusing(facts);
  if (first === undefined || groups.length === 1) return null;
  if (isOneClient(facts) || wholeReason(facts) !== null) return null;
  const common = first.clients
    .map(({ client }) => client)
    .filter((client) => others.every(({ clients }) => clients.some((it) => it.client === client)));
  if (common.length === 0) return null;
  const which =
    others.length + 1 === facts.candidates.length ? "all of them" : "all that refuse any request";
  return {
    id: "common",
    text: `${plural(common.length, "Client", "Clients")} ${namesWords(common.map(clientWords))} ${plural(common.length, "is", "are")} refused by ${which}.`,
    numbers: { common: common.length },
  };
}

/** The few clients with nearly all refusals, if there is one candidate. */
function fewestSentence(candidate: ReplayedCandidate, facts: Facts): AnswerSentence | null {
  const { fewest, refused, refusedClients, clients } = candidate;
  if (facts.candidates.length > 1 || fewest === null) return null;
  if (isOneClient(facts) || refusedClients === 1) return null;
  const numbers = { refused, refusedClients, fewest: fewest.clients, ofFewest: fewest.refused };
  const share = percent(fewest.refused / refused);
  const named = clients.slice(0, fewest.clients).map(({ client }) => clientWords(client));
  if (fewest.clients === refusedClients && fewest.clients > MOST_NAMED) return null;
  const isEven = !isConcentrated(fewest.refused / refused, fewest.clients / refusedClients);
  if (isEven && fewest.clients < refusedClients) return null;
  if (fewest.clients > MOST_NAMED || named.length < fewest.clients)
    return {
      id: "fewest",
      text: `${share} of the refused requests are of ${thousands(fewest.clients)} of these clients.`,
      numbers,
    };
  if (fewest.clients === refusedClients)
    return {
      id: "fewest",
      text: `The refused clients are ${listWords(named)}.`,
      numbers,
    };
  return {
    id: "fewest",
    text: `${share} of the refused requests are of ${plural(named.length, "client")} ${listWords(named)}.`,
    numbers,
  };
}

/** What a sliding log refuses only because it counts refusals; null: its twin that does not is no candidate. */
function ownRefusalsSentence(groups: readonly LimitGroup[]): AnswerSentence | null {
  for (const { limit, candidates } of groups) {
    const log = candidates.find(({ algorithm }) => algorithm === "sliding_log");
    const free = candidates.find(({ algorithm }) => algorithm === FREE_LOG);
    if (log === undefined || free === undefined || log.refused <= free.refused) continue;
    return {
      id: "counted",
      text: `At ${limit} a sliding log refuses ${thousands(log.refused - free.refused)} more ${plural(log.refused - free.refused, "request")} only because it also counts refusals.`,
      numbers: { log: log.refused, free: free.refused },
    };
  }
  return null;
}
