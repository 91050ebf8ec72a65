// Explains to the operator why a request would get its response. Responses to clients explain less (MGT-C9), so that
// clients learn nothing about other keys.
import { budgetName } from "../limiter/core/budget.ts";
import type { ApiDefinition } from "../limiter/core/config.ts";
import type { Session } from "../limiter/core/resolve/resolved.ts";
import type { Gateway } from "./gateway.ts";
import type { RequestOutcome } from "./outcome.ts";
import { REFUSALS } from "./refusals.ts";

const MOST_LISTED = 10;

export function whyRefused(gateway: Gateway, outcome: RequestOutcome): string {
  const { refused, api, session, decision } = outcome;
  switch (refused) {
    case null:
      return decision?.level === null
        ? "no limit applies"
        : "every limit that applies admits the request";
    case REFUSALS.trace:
      return "TRACE would send the credential of the request back (RFC 9110, 9.3.8)";
    case REFUSALS.twoCredentials:
      return "the request has two Authorization or two X-API-Key headers, so its credential is ambiguous";
    case REFUSALS.badCost:
      return "the header with the request's cost is not an integer from 1 to 1000 (LIM-C19)";
    case REFUSALS.badPath:
      return "the path has an encoded slash, a backslash, a NUL or a broken escape (EPT-C7)";
    case REFUSALS.noApi:
      return `no API that is active listens at ${outcome.path}; ${describeListenPaths(gateway)}`;
    case REFUSALS.noCredential:
      return `API ${api?.id ?? ""} wants a key, and the request has none`;
    case REFUSALS.noAccess:
      return whyNoAccess(api, session);
    case REFUSALS.inactive:
      return "the key, or one of its policies, is inactive";
    case REFUSALS.expired:
      return "the key has expired";
    case REFUSALS.store:
      return "the store is unreachable, and on_store_error does not allow decisions without it";
    default: {
      const level = decision?.level ?? null;
      const name = level === null ? "" : budgetName(level.budget, outcome.client);
      return `${name} has no room left`;
    }
  }
}

function describeListenPaths({ limiter: { resolver } }: Gateway): string {
  const active = resolver.apis.filter(({ definition }) => definition.active);
  const paths = active.slice(0, MOST_LISTED).map(({ definition }) => definition.listenPath);
  const more = active.length > MOST_LISTED ? ` and ${active.length - MOST_LISTED} more` : "";
  return paths.length === 0 ? "there is none" : `there is ${paths.join(", ")}${more}`;
}

function whyNoAccess(api: ApiDefinition | null, session: Session | null): string {
  if (session === null) return "no key has this credential";
  const { key, profile } = session;
  const { merged } = profile;
  if (merged.hasNoKnownPolicy)
    return `none of the key's policies exists: ${merged.missing.join(", ")}`;
  if (key.unenforced.length > 0)
    return `the key requires checks that the gateway does not make: ${key.unenforced.join(", ")}`;
  const grant = api === null ? undefined : merged.grants.get(api.id);
  if (grant === undefined) return `the key has no access right for API ${api?.id ?? ""}`;
  return `the key's access right has restrictions that the gateway does not check: ${grant.unenforced.join(", ")}`;
}
