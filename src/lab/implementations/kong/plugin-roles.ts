// Which plugins of Kong cannot change a limit, and which might. They run in the order of their priorities, and
// rate-limiting and rate-limiting-advanced have 910 ("Plugin priority" of Kong 3).
import type { ReadRole } from "../reading.ts";
import { IRRELEVANT, misunderstood, UNKNOWN_FIELD, UNKNOWN_STEP } from "../roles.ts";

export const AUTHENTICATION =
  /^(?:key-auth|basic-auth|jwt|oauth2|hmac-auth|ldap-auth|session|openid-connect|key-auth-enc|ldap-auth-advanced|mtls-auth|jwt-signer|oauth2-introspection|vault-auth|header-cert-auth|saml)$/;

const LIMITERS =
  /^(?:response-ratelimiting|graphql-rate-limiting-advanced|ai-rate-limiting-advanced|service-protection|.*(?:rate-?limit|throttl|quota).*)$/;

/** They end some requests before these are counted. */
const ENDS_BEFORE =
  /^(?:ip-restriction|acl|bot-detection|request-size-limiting|opa|oas-validation|request-validator|pre-function|serverless-functions)$/;

const HARMLESS =
  /^(?:cors|request-transformer|response-transformer|(?:request|response)-transformer-advanced|jq|correlation-id|prometheus|zipkin|opentelemetry|datadog|statsd|statsd-advanced|(?:http|file|tcp|udp|kafka|aws-lambda)-log|loggly|syslog|proxy-cache|proxy-cache-advanced|graphql-proxy-cache-advanced|aws-lambda|azure-functions|grpc-gateway|grpc-web|request-termination|post-function|acme|canary|route-by-header|route-transformer-advanced|forward-proxy|upstream-timeout|upstream-oauth|mocking|degraphql|exit-transformer|tls-(?:handshake|metadata)-.*|websocket-.*|kafka-upstream|ai-(?:proxy|prompt|request|response).*|standard-webhooks|redirect|konnect-application-auth)$/;

export function roleOfPlugin(name: string): ReadRole {
  if (AUTHENTICATION.test(name)) return IRRELEVANT; // which consumer a request has is a question of its own
  if (LIMITERS.test(name))
    return misunderstood("it limits requests, and this reader does not read it");
  if (ENDS_BEFORE.test(name))
    return misunderstood("it may refuse requests before they are counted, and here they count");
  return HARMLESS.test(name) ? IRRELEVANT : UNKNOWN_STEP;
}

/** Entities that no limit depends on. */
const OTHER_ENTITIES =
  /^(?:_format_version|_transform|_info|_workspace|_comment|_ignore|_konnect|upstreams|certificates|ca_certificates|snis|vaults|key_sets|keys|clustering_data_planes|filter_chains|licenses|targets|partials)(?:\.|$)/;

const SERVICE_FIELDS =
  /^services\.(?:id|name|tags|enabled|url|protocol|host|port|path|retries|(?:connect|read|write)_timeout|client_certificate|ca_certificates|tls_\w+|created_at|updated_at)(?:\.|$)/;

const CONSUMER_FIELDS =
  /^(?:consumers|consumer_groups)\.(?:id|name|tags|username|custom_id|groups|consumers|acls|\w+_(?:credentials|secrets))(?:\.|$)|^(?:acls|\w+_(?:credentials|secrets))(?:\.|$)/;

export const roleOfField = (path: string): ReadRole =>
  OTHER_ENTITIES.test(path) || SERVICE_FIELDS.test(path) || CONSUMER_FIELDS.test(path)
    ? IRRELEVANT
    : UNKNOWN_FIELD;
