// The names that columns of a history refer to: keys, APIs, budgets.
import { budgetName, budgetClient } from "../../limiter/core/budget.ts";
import type { Client } from "../../limiter/core/client.ts";
import type { Level } from "../../limiter/core/store.ts";
import type { RequestOutcome } from "../../gateway/outcome.ts";
import type { RefusalResponse } from "../../gateway/refusals.ts";
import type { BudgetText } from "../scenario/history.ts";

export interface Labels {
  readonly keys: Map<string, number>;
  readonly apis: Map<string, number>;
  readonly bodies: Map<RefusalResponse, number>; // each gateway has one object for each response
  readonly texts: BudgetText[];
  readonly budgets: Map<Level, Map<string, number>>; // index by level and identity
  readonly budgetsByText: Map<string, number>;
  readonly met: (RequestLabels | undefined)[][]; // last labels by flow and client
}

export const labels = (): Labels => ({
  keys: new Map(),
  apis: new Map(),
  bodies: new Map(),
  texts: [],
  budgets: new Map(),
  budgetsByText: new Map(),
  met: [],
});

export function bodyIndex({ bodies }: Labels, refused: RefusalResponse): number {
  const known = bodies.get(refused);
  if (known === undefined) bodies.set(refused, bodies.size);
  return known ?? bodies.size - 1;
}

/** Session, API and level of a client's last request, with the indexes of their names. */
interface RequestLabels {
  readonly session: RequestOutcome["session"];
  readonly client: Client;
  readonly definition: RequestOutcome["api"];
  readonly level: Level | null;
  readonly key: number; // -1 if there is none
  readonly api: number;
  readonly budget: number;
}

/** The labels of a request. A client mostly uses the same key, API and budget, so its last labels are tried first. */
export function labelRequest(
  known: Labels,
  flow: number,
  client: number,
  { session, client: counted, api: definition, decision }: RequestOutcome,
): RequestLabels {
  const level = decision === null ? null : decision.level;
  const ofFlow = (known.met[flow] ??= []);
  const last = ofFlow[client];
  if (
    last !== undefined &&
    last.session === session &&
    last.client.identity === counted.identity &&
    last.definition === definition &&
    last.level === level
  )
    return last;
  return (ofFlow[client] = {
    session,
    client: counted,
    definition,
    level,
    key: session === null ? -1 : indexIn(known.keys, session.key.id),
    api: definition === null ? -1 : indexIn(known.apis, definition.id),
    budget: level === null ? -1 : budgetIndex(known, level, counted),
  });
}

function indexIn(names: Map<string, number>, name: string): number {
  let index = names.get(name);
  if (index === undefined) names.set(name, (index = names.size));
  return index;
}

function budgetIndex(known: Labels, level: Level, client: Client): number {
  const { identity } = budgetClient(level.budget, client);
  let ofLevel = known.budgets.get(level);
  if (ofLevel === undefined) known.budgets.set(level, (ofLevel = new Map()));
  let index = ofLevel.get(identity);
  if (index === undefined) ofLevel.set(identity, (index = indexByText(known, level, client)));
  return index;
}

/** Levels of different gateways are the same budget to a reader, so budgets are indexed by their text. */
function indexByText(known: Labels, { budget, algorithm }: Level, client: Client): number {
  const text: BudgetText = {
    name: budgetName(budget, client),
    scope: budget.scope,
    algorithm,
    rate: budget.limit.rate,
    perUs: budget.limit.perUs,
    because: budget.because,
  };
  const unique = JSON.stringify(text);
  const index = known.budgetsByText.get(unique);
  if (index !== undefined) return index;
  known.budgetsByText.set(unique, known.texts.length);
  return known.texts.push(text) - 1;
}
