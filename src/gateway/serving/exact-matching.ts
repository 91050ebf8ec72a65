// Warns at the start if endpoint limits distinguish spellings of paths (EPT-C7), because most servers behind a gateway
// treat such spellings as one resource.
import {
  MATCHING_ASPECTS,
  type Configuration,
  type MatchingAspect,
} from "../../limiter/core/config.ts";

const OPTION_NAMES: Readonly<Record<MatchingAspect, string>> = {
  letterCase: "letter_case",
  trailingSlash: "trailing_slash",
  pathParameters: "path_parameters",
  head: "head",
};

/** Returns the warning; null if no endpoint has a limit, or if all spellings of a path share one limit. */
export function exactMatchingWarning({
  apis,
  policies,
  keys,
  options,
}: Configuration): string | null {
  const exact = MATCHING_ASPECTS.filter((aspect) => options.endpointMatching[aspect] === "exact");
  const isByPath =
    [...apis.values()].some(({ endpoints }) => endpoints.length > 0) ||
    [policies, keys].some((holders) =>
      [...holders.values()].some(({ accessRights }) =>
        [...(accessRights?.values() ?? [])].some(({ endpoints }) => endpoints.length > 0),
      ),
    );
  if (!isByPath || (exact.length === 0 && options.normalizePath)) return null;
  const parts = [
    exact.length === 0
      ? null
      : `${exact.map((aspect) => OPTION_NAMES[aspect]).join(", ")} exactly: another spelling is another path (endpoint_matching)`,
    options.normalizePath ? null : "paths without normalization (normalize_path: false)",
  ];
  const comparison = parts.filter((part) => part !== null).join("; ");
  return `warning: endpoint limits compare ${comparison}; see docs/serve/endpoint-spellings.md`;
}
