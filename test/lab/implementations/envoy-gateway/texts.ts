// Texts of Envoy Gateway's resources, and how requests fare under them.
import { ENVOY_GATEWAY_READER } from "#src/lab/implementations/envoy-gateway/read.ts";
import type { ReadConfiguration } from "#src/lab/implementations/reading.ts";
import { mustRead, play, type ReadInput, type Sent } from "../read-and-play.ts";

export const read = (text: string, input?: ReadInput): ReadConfiguration =>
  mustRead(ENVOY_GATEWAY_READER, text, input);

export const decide = (text: string, requests: readonly Sent[], input?: ReadInput): string =>
  play(read(text, input), requests);

interface PolicyText {
  readonly name?: string;
  readonly target?: string;
  readonly more?: string;
}

/** A policy with rules in flow style; `kind` is local or global. */
export const policy = (
  kind: string,
  rules: readonly string[],
  { name = "p", target = "kind: HTTPRoute, name: r", more = "" }: PolicyText = {},
): string => `---
apiVersion: gateway.envoyproxy.io/v1alpha1
kind: BackendTrafficPolicy
metadata: { name: ${name} }
spec:
  targetRefs: [{ group: gateway.networking.k8s.io, ${target} }]
  ${more}
  rateLimit:
    ${kind}:
      rules:
${rules.map((rule) => `      - { ${rule} }\n`).join("")}`;

export const limit = (requests: number, unit = "Minute"): string =>
  `limit: { requests: ${requests}, unit: ${unit} }`;

export const by = (selector: string, requests: number): string =>
  `clientSelectors: [{ ${selector} }], ${limit(requests)}`;

export const route = (name: string, matches: string, more = ""): string => `---
apiVersion: gateway.networking.k8s.io/v1
kind: HTTPRoute
metadata: { name: ${name} }
spec:
  parentRefs: [{ name: gw }]
  ${more}
  rules: [{ name: first, matches: [${matches}] }]
`;
