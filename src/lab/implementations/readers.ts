// The readers of configurations of other limiters. One recognizes a file, or --kind names it.
import { Failure } from "../../kit/reading/failure.ts";
import { APISIX_READER } from "./apisix/read.ts";
import { AWS_API_GATEWAY_READER } from "./aws-api-gateway/read.ts";
import { CADDY_READER } from "./caddy/read.ts";
import { CLOUDFLARE_READER } from "./cloudflare/read.ts";
import { ENVOY_READER } from "./envoy/read.ts";
import { ENVOY_GATEWAY_READER } from "./envoy-gateway/read.ts";
import { ENVOY_RATELIMIT_READER } from "./envoy-ratelimit/read.ts";
import { HAPROXY_READER } from "./haproxy/read.ts";
import { KONG_READER } from "./kong/read.ts";
import { KUADRANT_READER } from "./kuadrant/read.ts";
import { NGINX_READER } from "./nginx/read.ts";
import { SPRING_CLOUD_GATEWAY_READER } from "./spring-cloud-gateway/read.ts";
import { TRAEFIK_READER } from "./traefik/read.ts";
import { TYK_READER } from "./tyk/read.ts";
import { VARNISH_READER } from "./varnish/read.ts";
import type { ConfigurationFile, ConfigurationReader } from "./reading.ts";

export const READERS: readonly ConfigurationReader[] = [
  NGINX_READER,
  ENVOY_READER,
  ENVOY_RATELIMIT_READER,
  HAPROXY_READER,
  SPRING_CLOUD_GATEWAY_READER,
  TYK_READER,
  VARNISH_READER,
  // By documentation alone.
  APISIX_READER,
  AWS_API_GATEWAY_READER,
  CADDY_READER,
  CLOUDFLARE_READER,
  ENVOY_GATEWAY_READER,
  KONG_READER,
  KUADRANT_READER,
  TRAEFIK_READER,
];

export const KINDS: readonly string[] = READERS.map(({ kind }) => kind);

/** Finds the reader of a file. Null: no reader recognizes it. `kind`: of --kind; null: found by the text. */
export function findReader(
  file: ConfigurationFile,
  kind: string | null,
): ConfigurationReader | null | Failure {
  if (kind === null) {
    const found = READERS.filter((each) => each.recognizes(file));
    const kinds = found.map((each) => each.kind).join(" and of ");
    return found.length > 1
      ? new Failure(`${file.file} may be a configuration of ${kinds}; --kind selects one`)
      : (found[0] ?? null);
  }
  return (
    READERS.find((each) => each.kind === kind) ??
    new Failure(`--kind: there is no reader "${kind}"; there are ${KINDS.join(", ")}`)
  );
}
