// HDR-C1: which values of Retry-After a refusal may have.
import { SECOND } from "../../kit/units.ts";
import type { LevelAnswer } from "./answer.ts";
import type { Entry } from "./entries.ts";
import type { Expected, Seconds } from "./expected.ts";
import { isCountedHere, isQuota } from "./levels.ts";
import type { OracleWorld } from "./world.ts";

/** The allowed seconds; null if the requirement does not determine them. */
export function retryAfterOf(
  refuser: LevelAnswer,
  answers: readonly LevelAnswer[],
  entry: Entry,
  world: OracleWorld,
): Expected["retryAfter"] {
  const hasChanged = world.epochs.some(
    ({ atUs }) => Number.isFinite(atUs) && atUs <= entry.moment.toUs,
  );
  const isKeyFirst = entry.configuration.options.limitOrder === "key_first";
  const isShared = entry.gateways > 1 && answers.some(({ level }) => isCountedHere(level));
  if (hasChanged || isKeyFirst || isShared || isLostOnTheWay(entry, world)) return null;
  const isOfQuota = isQuota(refuser.level);
  const refusing = answers.filter(
    ({ level, answer }) => answer.refuse && (!isOfQuota || isQuota(level)),
  );
  if (refusing.some(({ answer }) => answer.pass)) return null;
  // If a quota that never renews and a rate limit that would admit later both refuse, Retry-After is not specified.
  if (
    !isOfQuota &&
    refusing.some(
      ({ level, answer }) => isQuota(level) && answer.waitUs?.toUs === Number.POSITIVE_INFINITY,
    )
  )
    return null;
  return secondsOf(refusing);
}

/** Whether a restart may lose the entries that decided before the gateway reads the wait from the store. */
export const isLostOnTheWay = (
  { moment: { flightFromUs, flightToUs } }: Entry,
  { storeFlightUs, storeRestartsUs }: OracleWorld,
): boolean =>
  storeFlightUs > 0 && storeRestartsUs.some((us) => us >= flightFromUs && us <= flightToUs);

function secondsOf(refusing: readonly LevelAnswer[]): Seconds | "absent" | null {
  const waits = refusing.map(({ answer }) => answer.waitUs);
  const knownWaits = waits.filter((wait) => wait !== null);
  if (knownWaits.length < waits.length) return null;
  const seconds = (us: number): number => Math.max(1, Math.ceil(us / SECOND));
  const fromS = seconds(Math.max(...knownWaits.map(({ fromUs }) => fromUs)));
  const toS = seconds(Math.max(...knownWaits.map(({ toUs }) => toUs)));
  return toS === Number.POSITIVE_INFINITY ? "absent" : { fromS, toS };
}
