// Runs a pattern in the world of a question, on the simulator, and counts the requests admitted.
import { fullestWindow } from "../../lab/check/max-in-any-window.ts";
import { isAdmittedStatus } from "../../lab/check/select.ts";
import { playVirtual } from "../../lab/drivers/virtual.ts";
import { Failure, isFailure } from "../../kit/reading/failure.ts";
import type { History } from "../../lab/scenario/history.ts";
import { plan } from "../../lab/scenario/plan/plan.ts";
import { decode } from "../../lab/scenario/read/decode.ts";
import type { Variant } from "../../lab/scenario/types.ts";
import { formatScenario } from "./as-scenario.ts";
import { flowsOf, type ArrivalPattern } from "./pattern.ts";
import type { WorstCaseQuestion } from "./question.ts";

/** The default seed of `weir run`, because the file has to pass without flags. */
export const SEED = 1;

export interface PatternResult {
  readonly pattern: ArrivalPattern;
  readonly most: number; // admitted in the fullest window
  readonly inFlight: number; // most requests in flight together
}

/** The admitted requests of one instant in the fullest window. */
export interface AdmittedBurst {
  readonly atUs: number; // when they were sent
  readonly count: number;
  readonly gateways: readonly number[]; // the gateways that admitted them, in the order of their numbers
}

export interface PatternRunner {
  readonly clients: readonly string[];
  readonly epochUs: number;
  /** Runs a pattern; null if the count is uncertain, or more requests are in flight than the question allows. */
  readonly run: (pattern: ArrivalPattern) => PatternResult | null;
  /** Runs a pattern again, and lists what is admitted in its fullest window. */
  readonly listFullest: (pattern: ArrivalPattern) => readonly AdmittedBurst[];
}

/** Creates a runner; a failure is an error in the question. */
export function createRunner(question: WorstCaseQuestion): PatternRunner | Failure {
  const clients = clientsOf(question);
  if (isFailure(clients)) return clients;
  const variant = variantOf(question, clients);
  if (isFailure(variant)) return variant;
  const { epochUs } = historyOf(question, variant, clients, []).header;
  const fullest = (pattern: ArrivalPattern) => {
    const { requests } = historyOf(question, variant, clients, pattern);
    const rows = [...requests.status.keys()];
    const admitted = rows.filter((row) => isAdmittedStatus(requests.status[row]!));
    return { requests, ...fullestWindow(requests, admitted, question.perUs) };
  };
  return {
    clients,
    epochUs,
    listFullest: (pattern) => {
      const { requests, rows } = fullest(pattern);
      const times = [...new Set(rows.map((row) => requests.sentUs[row]!))].toSorted(
        (a, b) => a - b,
      );
      return times.map((atUs) => {
        const sent = rows.filter((row) => requests.sentUs[row] === atUs);
        const gateways = new Set(sent.map((row) => requests.gateway[row]!));
        return { atUs, count: sent.length, gateways: [...gateways].toSorted((a, b) => a - b) };
      });
    },
    run: (pattern) => {
      const { requests, most } = fullest(pattern);
      const inFlight = mostInFlight(requests);
      return most.from === most.to && inFlight <= question.inFlight
        ? { pattern, most: most.from, inFlight }
        : null;
    },
  };
}

const historyOf = (
  { id }: WorstCaseQuestion,
  variant: Variant,
  clients: readonly string[],
  pattern: ArrivalPattern,
): History => {
  const scenario = { ...variant, traffic: flowsOf(pattern, clients) };
  return playVirtual(scenario, plan(scenario, id, SEED));
};

/** Reads the world from the text of the scenario. The first error in the text is the error of the question. */
function variantOf(question: WorstCaseQuestion, clients: readonly string[]): Variant | Failure {
  const placeholder = [{ atUs: 0, count: 1, client: 0 }];
  const text = formatScenario(question, {
    pattern: placeholder,
    clients,
    most: 1,
    about: ["placeholder"],
  });
  const { scenario, problems } = decode(`scenarios/${question.id}.yaml`, text);
  if (scenario !== null) return scenario.variants[0]!;
  const { message, fix } = problems.find(({ severity }) => severity === "error")!;
  return new Failure(fix === "" ? message : `${message}; ${fix}`);
}

/** The most requests in flight, each from sending to response. Background writes after a response are left out. */
function mostInFlight({ sentUs, answeredUs }: History["requests"]): number {
  const sent = sentUs.toSorted();
  const answered = answeredUs.toSorted();
  let most = 0;
  for (let started = 1, finished = 0; started <= sent.length; started++) {
    while (finished < answered.length && answered[finished]! <= sent[started - 1]!) finished++;
    most = Math.max(most, started - finished);
  }
  return most;
}

/** Names of the clients: one client, or one for each gateway if an API is limited and the balancer is sticky. */
function clientsOf(question: WorstCaseQuestion): readonly string[] | Failure {
  if (question.level === "key" || question.balancer !== "sticky") return ["alice"];
  const enough = 20 + 20 * question.nodes;
  const candidates = Array.from({ length: enough }, (_, index) => `client-${index + 1}`);
  const variant = variantOf(question, candidates);
  if (isFailure(variant)) return variant;
  const oneEach = candidates.map((_, client) => ({ atUs: client, count: 1, client }));
  const { requests } = historyOf(question, variant, candidates, oneEach);
  const clientByGateway = new Map<number, string>();
  for (const row of requests.gateway.keys()) {
    const gateway = requests.gateway[row]!;
    if (!clientByGateway.has(gateway))
      clientByGateway.set(gateway, candidates[requests.flow[row]!]!);
  }
  return [...clientByGateway].toSorted(([a], [b]) => a - b).map(([, client]) => client);
}
