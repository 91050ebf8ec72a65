// A configuration of Envoy with one bucket, for tests of changed numbers.
export const envoyWith = (tokens: number, interval: string): string => `static_resources:
  listeners:
    - address: { socket_address: { address: 0.0.0.0, port_value: 80 } }
      filter_chains:
        - filters:
            - name: envoy.filters.network.http_connection_manager
              typed_config:
                "@type": type.googleapis.com/envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager
                stat_prefix: a
                route_config:
                  virtual_hosts:
                    - name: all
                      domains: ["*"]
                      routes: [{ match: { prefix: "/" }, direct_response: { status: 200 } }]
                http_filters:
                  - name: envoy.filters.http.local_ratelimit
                    typed_config:
                      "@type": type.googleapis.com/envoy.extensions.filters.http.local_ratelimit.v3.LocalRateLimit
                      stat_prefix: a
                      token_bucket: { max_tokens: ${tokens}, fill_interval: ${interval} }
                      filter_enabled: { default_value: { numerator: 100, denominator: HUNDRED } }
                      filter_enforced: { default_value: { numerator: 100, denominator: HUNDRED } }
`;
