// The readers of configurations of other limiters. One recognizes a file, or --kind names it.
import { ENVOY_READER } from "./envoy/read.ts";
import { ENVOY_RATELIMIT_READER } from "./envoy-ratelimit/read.ts";
import { HAPROXY_READER } from "./haproxy/read.ts";
import { NGINX_READER } from "./nginx/read.ts";
import { SPRING_CLOUD_GATEWAY_READER } from "./spring-cloud-gateway/read.ts";
import { VARNISH_READER } from "./varnish/read.ts";
import type { ConfigurationReader } from "./reading.ts";

export const READERS: readonly ConfigurationReader[] = [
  ENVOY_READER,
  ENVOY_RATELIMIT_READER,
  HAPROXY_READER,
  NGINX_READER,
  SPRING_CLOUD_GATEWAY_READER,
  VARNISH_READER,
];
