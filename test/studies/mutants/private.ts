// Functions that their modules keep to themselves, for the mutants that replace them.
import type { Budget, Scope } from "#src/limiter/core/budget.ts";
import type {
  ApiDefinition,
  EndpointLimit,
  Key,
  MetaData,
  Policy,
  Quota,
  Throttle,
} from "#src/limiter/core/config.ts";
import type { Path } from "#src/kit/reading/problems.ts";
import type { Decision } from "#src/limiter/core/decision.ts";
import type { Limit } from "#src/limiter/core/limit.ts";
import type { Limiter, Prepared } from "#src/limiter/core/limiter.ts";
import type { PlacedObject } from "#src/limiter/world/place.ts";
import type { References } from "#src/limiter/world/references.ts";
import type { FieldReading } from "#src/limiter/world/values.ts";
import type { Matching } from "#src/limiter/core/resolve/endpoint.ts";
import type { LimitCandidate, Grant } from "#src/limiter/core/resolve/merge.ts";
import type {
  ApiRules,
  KeyProfile,
  Resolved,
  Resolver,
  Session,
} from "#src/limiter/core/resolve/resolved.ts";
import type { Sequence } from "#src/limiter/core/sequence.ts";
import type { AllowanceRecord, SmoothingRule } from "#src/limiter/core/smoothing.ts";
import type { Intent, Level, Reply, Steps } from "#src/limiter/core/store.ts";
import type { Micros } from "#src/kit/units.ts";
import type { Gateway } from "#src/gateway/gateway.ts";
import type { RequestOutcome } from "#src/gateway/outcome.ts";
import type { RefusalResponse } from "#src/gateway/refusals.ts";
import type { Receipt } from "#src/gateway/management/events/courier.ts";
import type { Delivery, DeliveryResult } from "#src/gateway/management/events/deliveries.ts";
import type { BoundLevel } from "#src/limiter/store/counting.ts";

export type NextFallUs = (
  rule: SmoothingRule,
  kept: Omit<AllowanceRecord, "absentFromUs">,
  newest: (k: number) => number,
  perUs: number,
) => number;

/** What rules of an API and of a key have in common. */
interface BudgetRules {
  readonly otherwise: Budget | null;
  readonly endpoints: readonly (Budget | null)[];
}

export type BudgetAt = (rules: BudgetRules, endpoint: number) => Budget | null;
export type BudgetOf = (
  resolver: Resolver,
  limit: Limit | null,
  scope: Scope,
  what: string,
  because: readonly string[],
  shared?: "nobody" | "identity" | "keyless",
) => Budget | null;
export type Combine = (
  place: PlacedObject,
  rate: FieldReading<number>,
  per: FieldReading<Micros>,
  form: "world" | "oas",
) => Limit | null;
export type GrantOf = (
  api: string,
  known: readonly Policy[],
  root: LimitCandidate | null,
  key: Key,
) => Grant;
export type KeyBudget = (
  resolver: Resolver,
  api: ApiDefinition,
  grant: Grant,
  profile: KeyProfile,
) => Budget | null;
export type LargestQuota = (known: readonly Policy[]) => Quota | null;
export type MakeApiRules = (
  resolver: Resolver,
  definition: ApiDefinition,
  index: number,
) => ApiRules;
export type MakeKeyRules = (
  resolver: Resolver,
  api: ApiDefinition,
  profile: KeyProfile,
) => BudgetRules | null;
export type MakeLevels = (limiter: Limiter, resolved: Resolved, gateways: number) => Prepared;
export type MergeEndpoints = (
  lists: readonly (readonly EndpointLimit[])[],
  matching: Matching,
) => readonly EndpointLimit[];
export type MostPatient = (known: readonly Policy[]) => Throttle | null;
export type PartValue = (part: string, metaData: MetaData) => string | null;
type PolicyReferences = readonly {
  readonly text: string;
  readonly path: Path;
  readonly id: string | null;
}[];
export type PoliciesOf = (place: PlacedObject, policies: References) => PolicyReferences;
export type NoteUnknown = (
  place: PlacedObject,
  references: PolicyReferences,
  isLimited: boolean,
  policies: References,
) => void;
export type ReadNumber = (place: PlacedObject) => FieldReading<number>;
export type RefusalOf = (
  gateway: Gateway,
  session: Session,
  api: ApiDefinition,
  nowUs: Micros,
) => RefusalResponse | null;
export type Refuse = (
  bound: readonly BoundLevel[],
  refused: number,
  atUs: Micros,
  resetUs: number,
  intent: Intent,
  reply: Reply,
  units: number,
) => void;
export type RefusedBy = (decision: Decision) => RefusalResponse;
export type EmitExceeded = (
  gateway: Gateway,
  outcome: RequestOutcome,
  decision: Decision,
  nowUs: Micros,
) => void;
export type SettledBy = (
  delivery: Delivery,
  receipt: Receipt,
  isFinal: boolean,
  atUs: number,
  random: () => number,
) => DeliveryResult;
export type StepsOf = (levels: readonly Level[], isSplit: boolean) => readonly (readonly Level[])[];

export type Undo = (sequence: Sequence, before: number) => Steps<void>;
export type UntilPaid = (
  cells: Float64Array,
  row: number,
  rate: number,
  nowUs: number,
  excess: number,
) => number;
