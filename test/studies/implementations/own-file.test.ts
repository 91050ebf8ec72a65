// The file of a user, as nginx, HAProxy, Varnish and Envoy are started with it, and the requests that it gets.
import { expect, test } from "vitest";
import { Failure, requireValue } from "#src/kit/reading/failure.ts";
import type { Includes } from "#src/lab/implementations/reading.ts";
import { budgetNames } from "#src/lab/implementations/started-rules.ts";
import type { Site } from "#src/lab/implementations/translation.ts";
import { factsOf } from "#src/studies/implementations/drawn-configuration.ts";
import { programOfFile, type OwnProgram } from "#src/studies/implementations/own-file.ts";
import { OWN_ENVOY } from "#src/studies/implementations/own-envoy.ts";
import { OWN_HAPROXY } from "#src/studies/implementations/own-haproxy.ts";
import { OWN_NGINX } from "#src/studies/implementations/own-nginx.ts";
import { OWN_VARNISH } from "#src/studies/implementations/own-varnish.ts";

const SITE: Site = {
  port: 8123,
  spare: [8124, 8125, 8126],
  upstream: { host: "127.0.0.1", port: 1 },
  dir: "/run",
  home: "",
  variant: null,
  generation: 1,
  redis: null,
};

const SECRET = "k3y-of-the-production";

const NGINX = `user www-data;
load_module modules/ngx_http_geoip2_module.so;
events { worker_connections 768; }
http {
  include mime.types;
  log_format main '$remote_addr "$status"';
  access_log /var/log/nginx/access.log main;
  limit_req_zone $binary_remote_addr zone=login:10m rate=2r/s;
  limit_req_zone $http_x_api_key zone=keys:10m rate=20r/m;
  map $http_x_plan $by_plan { default ""; gold "gold \\"plan\\""; "~^s\\d{1,2}$" some; }
  limit_req_zone $by_plan zone=plans:1m rate=3r/s;
  upstream app { server app-1:3000; }
  include conf.d/*.conf;
}
`;
const SITES = `server { listen 80 default_server; return 301 https://$host$request_uri; }
server {
  listen 443 ssl http2;
  server_name shop.example *.shop.example;
  ssl_certificate_key /etc/ssl/shop.key;
  limit_req_status 429;
  location / { proxy_pass http://app; proxy_set_header X-Key ${SECRET}; }
  location = /login { limit_req zone=login burst=5 delay=2; proxy_pass http://app/login; }
  location ~ ^/api/(v1|v2)/ { limit_req zone=keys burst=3; limit_req zone=plans; proxy_pass http://app; }
  location ~* "\\.(png|css)$" { if ($args = "") { proxy_pass http://app; } limit_req zone=plans; limit_req_dry_run on; }
}
`;

const HAPROXY = `global
  log /dev/log local0
  chroot /var/lib/haproxy
defaults
  mode http
  timeout server 50s
frontend web
  bind *:443 ssl crt /etc/haproxy/certs/
  acl is_login path_beg /login
  acl is_bad req.hdr(x-plan) -f bad.lst
  stick-table type ip size 100k expire 30s store http_req_rate(10s)
  http-request deny deny_status 429 if { path /closed }
  http-request track-sc0 src if is_login
  http-request deny deny_status 429 if is_login { sc_http_req_rate(0) gt 10 }
  http-request set-header X-Key "${SECRET} and 'more'" if is_bad
  use_backend app if { path_end .png }
  default_backend app
frontend metrics
  bind *:8404
  stats enable
backend app
  http-request track-sc1 req.hdr(x-api-key) table keys
  http-request deny if { sc_http_req_rate(1) gt 3 }
  option httpchk GET /health
  server a 10.0.0.1:3000 check
backend keys
  stick-table type string size 100k expire 30s store http_req_rate(10s)
`;

const VARNISH = `vcl 4.1;
import std;
import vsthrottle;
import directors;
include "sub.vcl";
backend app { .host = "app-1"; .port = "8404"; }
acl office { "10.0.0.9"; "127.0.2.0"/24; "build.example"; }
acl unused { "10.9.0.0"/16; }
sub vcl_init { new cluster = directors.round_robin(); cluster.add_backend(app); }
sub vcl_recv {
  set req.backend_hint = cluster.backend();
  set req.url = std.querysort(req.url);
  set req.http.x-key = {"${SECRET} "quoted""};
  if (client.ip ~ office) { return (synth(429, "closed")); }
  if (req.url ~ "^/api/v\\d+/" && vsthrottle.is_denied("api " + req.http.X-Api-Key, 5, 2s)) {
    call too_many;
  } elseif (vsthrottle.is_denied(client.ip, 3, 1s)) { std.log("denied"); return (synth(503)); }
  if (req.url ~ "\\.png$") { return (hash); }
  return (pass);
}
sub vcl_deliver { set resp.http.x-from = "/var/log"; }
`;

const ENVOY = `static_resources:
  listeners:
    - name: https
      address: { socket_address: { address: 0.0.0.0, port_value: 443 } }
      filter_chains:
        - transport_socket:
            name: envoy.transport_sockets.tls
            typed_config:
              "@type": type.googleapis.com/envoy.extensions.transport_sockets.tls.v3.DownstreamTlsContext
              common_tls_context:
                tls_certificates:
                  - certificate_chain: { filename: /etc/ssl/site.pem }
                    private_key: { filename: /etc/ssl/site.key }
          filters:
            - name: envoy.filters.network.http_connection_manager
              typed_config:
                "@type": type.googleapis.com/envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager
                stat_prefix: site
                use_remote_address: true
                access_log:
                  - name: envoy.access_loggers.file
                    typed_config:
                      "@type": type.googleapis.com/envoy.extensions.access_loggers.file.v3.FileAccessLog
                      path: /var/log/envoy.log
                http_filters:
                  - name: envoy.filters.http.ext_authz
                    typed_config:
                      "@type": type.googleapis.com/envoy.extensions.filters.http.ext_authz.v3.ExtAuthz
                      grpc_service: { envoy_grpc: { cluster_name: auth } }
                  - name: envoy.filters.http.local_ratelimit
                    typed_config:
                      "@type": type.googleapis.com/envoy.extensions.filters.http.local_ratelimit.v3.LocalRateLimit
                      stat_prefix: all
                      token_bucket: { max_tokens: 40, tokens_per_fill: 40, fill_interval: 1s }
                      filter_enabled: { default_value: { numerator: 100, denominator: HUNDRED } }
                      filter_enforced: { default_value: { numerator: 100, denominator: HUNDRED } }
                      descriptors:
                        - entries: [{ key: client }]
                          token_bucket: { max_tokens: 6, tokens_per_fill: 3, fill_interval: 1s }
                  - name: envoy.filters.http.router
                    typed_config:
                      "@type": type.googleapis.com/envoy.extensions.filters.http.router.v3.Router
                route_config:
                  name: site
                  virtual_hosts:
                    - name: api
                      domains: ["api.site.example", "*"]
                      require_tls: ALL
                      rate_limits:
                        - actions:
                            - request_headers: { header_name: x-api-key, descriptor_key: client }
                      typed_per_filter_config:
                        envoy.filters.http.ext_authz:
                          "@type": type.googleapis.com/envoy.extensions.filters.http.ext_authz.v3.ExtAuthzPerRoute
                          disabled: true
                      routes:
                        - match: { prefix: /login }
                          route: { cluster: accounts, request_mirror_policies: [{ cluster: shadow }] }
                          typed_per_filter_config:
                            envoy.filters.http.local_ratelimit:
                              "@type": type.googleapis.com/envoy.extensions.filters.http.local_ratelimit.v3.LocalRateLimit
                              stat_prefix: login
                              status: { code: Forbidden }
                              token_bucket: { max_tokens: 5, tokens_per_fill: 1, fill_interval: 1s }
                              filter_enabled: { default_value: { numerator: 100, denominator: HUNDRED } }
                              filter_enforced: { default_value: { numerator: 100, denominator: HUNDRED } }
                        - match: { prefix: /closed }
                          direct_response: { status: 204, body: { filename: /var/www/closed } }
                          typed_per_filter_config:
                            envoy.filters.http.local_ratelimit:
                              "@type": type.googleapis.com/envoy.config.route.v3.FilterConfig
                              disabled: true
                        - match: { prefix: / }
                          route: { cluster: app }
  clusters:
    - name: app
      type: STRICT_DNS
      load_assignment:
        cluster_name: app
        endpoints: [{ lb_endpoints: [{ endpoint: { address: { socket_address: { address: app-1, port_value: 80 } } } }] }]
    - name: accounts
      type: STRICT_DNS
`;

const OTHERS: Readonly<Record<string, string>> = {
  "conf.d/*.conf": SITES,
  "sub.vcl": 'sub too_many { return (synth(429, "Too Many Requests")); }',
  "bad.lst": "free # and no other\\n",
};
const includes: Includes = (pattern) => {
  const text = OTHERS[pattern];
  return text === undefined ? new Failure(`${pattern} does not exist`) : [{ file: pattern, text }];
};

const start = (own: OwnProgram, text: string) => {
  const main = { file: own.main, text };
  const configuration = requireValue(own.reader.read(main, includes, new Map()));
  const file = { main, includes, configuration, text: `${text}\n${SITES}` };
  const filesAt = requireValue(own.filesOf(file));
  const drawn = programOfFile(own, file, filesAt).draw(1);
  const files = filesAt(SITE);
  const again = requireValue(
    own.reader.read(
      { file: own.main, text: files[own.main]! },
      (name) => [{ file: name, text: files[name.replace(`${SITE.dir}/`, "")] ?? "" }],
      new Map(),
    ),
  );
  return { configuration, drawn, text: files[own.main]!, files, again };
};

test.each([
  ["nginx", OWN_NGINX, NGINX, ["listen 127.0.0.1:8123", "zone=login burst=5 nodelay;"]],
  [
    "HAProxy",
    OWN_HAPROXY,
    HAPROXY,
    ["bind 127.0.0.1:8123", "-f /run/list-0", "return status 200 if { path /closed }"],
  ],
  ["Envoy", OWN_ENVOY, ENVOY, ['"port_value": 8123', '"accounts"', "envoy.filters.http.router"]],
  ["Varnish", OWN_VARNISH, VARNISH, ["sub too_many {", "return (synth(429));", "^/api/v\\d+/"]],
])(
  "%s gets a file with the same limits, and without what only production has",
  (_, own, text, parts) => {
    const { configuration, drawn, text: started, again } = start(own, text);
    for (const part of parts) expect(started).toContain(part);
    for (const part of [
      "/etc/ssl",
      "/etc/haproxy",
      "/var/",
      "/dev/log",
      "app-1",
      "10.0.0.1",
      "8404",
      "build.example",
      "unused",
    ])
      expect(started).not.toContain(part);
    expect(again.rules.map(({ limit, status }) => [limit, status])).toEqual(
      configuration.rules.map(({ limit, status }) => [limit, status]),
    );
    const budgets = drawn.requests.map((request) => budgetNames(configuration, factsOf(request)));
    expect(budgets).toEqual(drawn.requests.map((request) => budgetNames(again, factsOf(request))));
    // Requests meet each limit, and each of its budgets may be used up.
    for (const [rule] of configuration.rules.entries())
      expect(budgets.filter((names) => names[rule] !== null).length).toBeGreaterThan(4);
    expect(budgets.some((names) => names.every((name) => name === null))).toBe(true);
    expect(own.filesOf === OWN_NGINX.filesOf ? started : "").not.toContain(SECRET);
  },
);

test("Envoy gets names of fields in both forms, and routes alone", () => {
  const camel = ENVOY.replaceAll(
    /(http_filters|route_config|virtual_hosts|require_tls|typed_per_filter_config|use_remote_address):/g,
    (name) => name.replaceAll(/_([a-z])/g, (_, sign: string) => sign.toUpperCase()),
  );
  expect(camel).toContain("virtualHosts:");
  expect(start(OWN_ENVOY, camel).text).toBe(start(OWN_ENVOY, ENVOY).text);
  const routes = ENVOY.slice(
    ENVOY.indexOf("                  virtual_hosts"),
    ENVOY.indexOf("  clusters:"),
  );
  const { again, text } = start(OWN_ENVOY, routes);
  expect(again.rules.map(({ id, status }) => [id, status])).toEqual([["route /login", 403]]);
  expect(text).not.toContain("ext_authz");
});

test("Varnish refuses a request here only where vsthrottle denied it", () => {
  const { text } = start(OWN_VARNISH, VARNISH);
  expect(text.match(/synth\(\d+\)/g)).toEqual(
    [204, 200, 503, 200, 200, 429, 200].map((status) => `synth(${status})`),
  );
});

test("a condition with a module that Varnish does not have here is a failure", () => {
  const foreign = VARNISH.replace("directors;", "geo;").replace(
    "(client.ip ~ office)",
    '(geo.country(client.ip) == "XX")',
  );
  const main = { file: "limits.vcl", text: foreign };
  const configuration = requireValue(OWN_VARNISH.reader.read(main, includes, new Map()));
  const files = OWN_VARNISH.filesOf({ main, includes, configuration, text: foreign });
  expect(files).toMatchObject({
    message: expect.stringContaining("limits.vcl:14: a condition calls a module"),
  });
});

test("a file that cannot be parsed is a failure", () => {
  const main = { file: "nginx.conf", text: "http {" };
  const configuration = requireValue(
    OWN_NGINX.reader.read({ file: "nginx.conf", text: "server { }" }, includes, new Map()),
  );
  expect(OWN_NGINX.filesOf({ main, includes, configuration, text: "" })).toBeInstanceOf(Failure);
});
