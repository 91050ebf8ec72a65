// Plays a pattern in the world of a question, on the simulator as it is, and counts what it got.
import { fullestWindow } from "../../check/max-in-any-window.ts";
import { isAdmittedStatus } from "../../check/select.ts";
import { playVirtual } from "../../drivers/virtual.ts";
import type { History } from "../../scenario/history.ts";
import { plan } from "../../scenario/plan/plan.ts";
import { decode } from "../../scenario/read/decode.ts";
import type { Variant } from "../../scenario/types.ts";
import { asScenario } from "./as-scenario.ts";
import { flowsOf, type Pattern } from "./pattern.ts";
import type { Question } from "./question.ts";

/** What `weir run` takes without being told: the file has to pass as it stands. */
export const SEED = 1;

export interface Tried {
  readonly pattern: Pattern;
  readonly most: number; // admitted in the fullest window
  readonly inFlight: number; // the most under way together
}

export interface Stage {
  readonly clients: readonly string[];
  readonly epochUs: number;
  /** Null where it cannot be said how many it is, or where more are under way than may be. */
  readonly play: (pattern: Pattern) => Tried | null;
}

/** A text says what is wrong with the question. */
export function stageFor(question: Question): Stage | string {
  const clients = clientsOf(question);
  if (typeof clients === "string") return clients;
  const variant = variantOf(question, clients);
  if (typeof variant === "string") return variant;
  const { epochUs } = historyOf(question, variant, clients, []).header;
  return {
    clients,
    epochUs,
    play: (pattern) => {
      const { requests } = historyOf(question, variant, clients, pattern);
      const rows = [...requests.status.keys()];
      const admitted = rows.filter((row) => isAdmittedStatus(requests.status[row]!));
      const { most } = fullestWindow(requests, admitted, question.perUs);
      const inFlight = mostUnderWay(requests);
      return most.from === most.to && inFlight <= question.inFlight
        ? { pattern, most: most.from, inFlight }
        : null;
    },
  };
}

const historyOf = (
  { id }: Question,
  variant: Variant,
  clients: readonly string[],
  pattern: Pattern,
): History => {
  const playing = { ...variant, traffic: flowsOf(pattern, clients) };
  return playVirtual(playing, plan(playing, id, SEED));
};

/** The file decides what its world is; the first fault of it is the fault of the question. */
function variantOf(question: Question, clients: readonly string[]): Variant | string {
  const nothing = [{ atUs: 0, count: 1, client: 0 }];
  const text = asScenario(question, { pattern: nothing, clients, most: 1, about: ["not yet"] });
  const { scenario, problems } = decode(`scenarios/${question.id}.yaml`, text);
  if (scenario !== null) return scenario.variants[0]!;
  const { message, fix } = problems.find(({ severity }) => severity === "error")!;
  return fix === "" ? message : `${message}; ${fix}`;
}

/** From the sending to the answer: a mark that is written behind it stands before the next one asks. */
function mostUnderWay({ sentUs, answeredUs }: History["requests"]): number {
  const sent = sentUs.toSorted();
  const answered = answeredUs.toSorted();
  let most = 0;
  for (let begun = 1, over = 0; begun <= sent.length; begun++) {
    while (over < answered.length && answered[over]! <= sent[begun - 1]!) over++;
    most = Math.max(most, begun - over);
  }
  return most;
}

/** One client; or, where the client chooses the gateway of an API's limit, one for each of them. */
function clientsOf(question: Question): readonly string[] | string {
  if (question.level === "key" || question.balancer !== "sticky") return ["alice"];
  const enough = 20 + 20 * question.nodes;
  const candidates = Array.from({ length: enough }, (_, index) => `client-${index + 1}`);
  const variant = variantOf(question, candidates);
  if (typeof variant === "string") return variant;
  const once = candidates.map((_, client) => ({ atUs: client, count: 1, client }));
  const { requests } = historyOf(question, variant, candidates, once);
  const firstOf = new Map<number, string>();
  for (const row of requests.gateway.keys()) {
    const gateway = requests.gateway[row]!;
    if (!firstOf.has(gateway)) firstOf.set(gateway, candidates[requests.flow[row]!]!);
  }
  return [...firstOf].toSorted(([a], [b]) => a - b).map(([, client]) => client);
}
