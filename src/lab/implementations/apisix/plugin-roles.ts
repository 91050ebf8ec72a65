// Which plugins of APISIX cannot change a limit, and which might. They run in the order of their priorities, and
// limit-count has 1002, limit-req 1001.
import type { ReadRole } from "../reading.ts";
import { IRRELEVANT, misunderstood, UNKNOWN_STEP } from "../roles.ts";

export const AUTHENTICATION =
  /^(?:key-auth|basic-auth|jwt-auth|hmac-auth|ldap-auth|wolf-rbac|multi-auth|openid-connect|jwe-decrypt|saml-auth|cas-auth)$/;

const LIMITERS =
  /^(?:limit-conn|graphql-limit-count|ai-rate-limiting|workflow|traffic-split-limit)$/;

/** They end some requests before these are counted. */
const ENDS_BEFORE =
  /^(?:ip-restriction|ua-restriction|referer-restriction|consumer-restriction|acl|csrf|uri-blocker|request-validation|fault-injection|mocking|client-control|forward-auth|opa|authz-.*|chaitin-waf|serverless-pre-function|ext-plugin-pre-req|coraza-.*|data-mask|oas-validator|public-api)$/;

const HARMLESS =
  /^(?:cors|proxy-rewrite|proxy-cache|proxy-mirror|proxy-control|proxy-buffering|redirect|response-rewrite|request-id|gzip|brotli|prometheus|zipkin|skywalking|skywalking-logger|opentelemetry|.*-logger|node-status|traffic-split|grpc-transcode|grpc-web|api-breaker|serverless-post-function|ext-plugin-post-(?:req|resp)|echo|server-info|log-rotate|inspect|real-ip|body-transformer|attach-consumer-label|degraphql|dubbo-proxy|http-dubbo|aws-lambda|azure-functions|openwhisk|openfunction|ai-.*|mcp-bridge|sls-logger|datadog|splunk-.*|example-plugin|tencent-cloud-cls|loggly|elasticsearch-logger|batch-requests|ocsp-stapling|dynamic-.*|prefer-name|gm|kafka-proxy|lago|error-log-logger|file-logger|toolset|exit-transformer)$/;

export function roleOfPlugin(name: string): ReadRole {
  if (AUTHENTICATION.test(name)) return IRRELEVANT; // which consumer a request has is a question of its own
  if (name === "real-ip")
    return misunderstood("it changes the address that is counted; the address of the log is taken");
  if (LIMITERS.test(name))
    return misunderstood("it limits requests, and this reader does not read it");
  if (ENDS_BEFORE.test(name))
    return misunderstood("it may answer requests before they are counted, and here they count");
  return HARMLESS.test(name) ? IRRELEVANT : UNKNOWN_STEP;
}
