import { describe, expect, test } from "vitest";
import type { ApiDefinition } from "#src/limiter/core/config.ts";
import { limitOf } from "#src/limiter/core/limit.ts";
import { configurationOf, messages, orders, problemsOf, withApi } from "./worlds.ts";

const api = (raw: unknown, id = "orders"): ApiDefinition | undefined =>
  configurationOf(withApi(raw)).apis.get(id);
const endpointsOf = (raw: unknown): readonly string[] | undefined =>
  api(raw)?.endpoints.map(
    ({ method, pattern, limit }) => `${method} ${pattern.text} ${limit.rate}/${limit.perUs}`,
  );

const plain: ApiDefinition = {
  id: "orders",
  name: "orders",
  listenPath: "/orders",
  active: true,
  keyless: false,
  disableRateLimit: false,
  globalRateLimit: null,
  endpoints: [],
  target: null,
  stripListenPath: false,
  form: "classic",
};
const entry = { path: "/a", method: "get", rate: 1, per: 2 };

describe("the short form", () => {
  test.each([
    [{ listen: "/orders" }, {}],
    [{ listen: "/orders/" }, {}],
    [{ listen: "/" }, { listenPath: "/" }],
    [{ listen: "/orders", name: "Orders" }, { name: "Orders" }],
    [{ listen: "/orders", active: false }, { active: false }],
    [{ listen: "/orders", keyless: true }, { keyless: true }],
    [{ listen: "/orders", disable_rate_limit: true }, { disableRateLimit: true }],
    [{ listen: "/orders", rate: 5, per: 2 }, { globalRateLimit: limitOf(5, 2) }],
    [
      { listen: "/orders", global_rate_limit: { rate: 5, per: "2s" } },
      { globalRateLimit: limitOf(5, 2) },
    ],
    [
      { listen: "/orders", global_rate_limit: { rate: 0, per: 0 } },
      { leftOut: [{ where: "global_rate_limit", why: "zero" }] },
    ],
    [{ listen: "/orders", global_rate_limit: null }, {}],
    [
      { listen: "/orders", endpoints: [entry] },
      {
        endpoints: [
          { method: "GET", pattern: { text: "/a", pieces: ["/a"] }, limit: limitOf(1, 2) },
        ],
      },
    ],
  ])("%j", (raw, changed) => {
    expect(api(raw)).toEqual({ ...plain, ...changed });
  });

  test.each([
    [{}, "CFG-REQUIRED apis.orders"],
    [{ listen: null }, "CFG-REQUIRED apis.orders"],
    [{ listen: 5 }, "CFG-TYPE apis.orders.listen"],
    [{ listen: "" }, "CFG-LISTEN-PATH apis.orders.listen"],
    [{ listen: "/or?ders" }, "CFG-LISTEN-PATH apis.orders.listen"],
    [{ listen: "/{tenant}" }, "CFG-LISTEN-PATH apis.orders.listen"],
    [{ listen: "//" }, "CFG-LISTEN-PATH apis.orders.listen"],
    [{ listen: "/a/../b" }, "CFG-LISTEN-PATH apis.orders.listen"],
    [{ listen: "/%41" }, "CFG-LISTEN-PATH apis.orders.listen"],
    [{ listen: "/orders", target_url: "x" }, "CFG-UNKNOWN-FIELD apis.orders.target_url"],
    [
      { listen: "/orders", rate: 1, per: 1, global_rate_limit: { rate: 1, per: 1 } },
      "CFG-CONFLICT apis.orders.global_rate_limit",
    ],
    [{ listen: "/orders", endpoints: {} }, "CFG-TYPE apis.orders.endpoints"],
    [{ listen: "/orders", endpoints: [7] }, "CFG-TYPE apis.orders.endpoints.0"],
    [
      { listen: "/orders", endpoints: [{ ...entry, path: undefined }] },
      "CFG-REQUIRED apis.orders.endpoints.0",
    ],
    [
      { listen: "/orders", endpoints: [{ ...entry, method: "" }] },
      "CFG-REQUIRED apis.orders.endpoints.0",
    ],
    [
      { listen: "/orders", endpoints: [{ ...entry, method: "G T" }] },
      "CFG-METHOD apis.orders.endpoints.0.method",
    ],
    [
      { listen: "/orders", endpoints: [{ ...entry, burst: 1 }] },
      "CFG-UNKNOWN-FIELD apis.orders.endpoints.0.burst",
    ],
    ["/orders", "CFG-TYPE apis.orders"],
    [null, "CFG-TYPE apis.orders"],
  ])("%j is an error", (raw, problem) => {
    expect(problemsOf(withApi(raw))).toEqual([problem]);
  });

  test("methods beyond the usual ones are kept", () => {
    expect(endpointsOf({ listen: "/orders", endpoints: [{ ...entry, method: "Purge" }] })).toEqual([
      "PURGE /a 1/2000000",
    ]);
  });

  test("there are not more than 100 of them in an API, because each is compared with the usual ones", () => {
    const nameOf = (i: number): string => `XQ${String.fromCharCode(65 + (i % 26), 65 + i / 26)}ZZ`;
    const endpoints = Array.from({ length: 101 }, (_, i) => ({ ...entry, method: nameOf(i) }));
    const isFault = (line: string): boolean => line.startsWith("CFG-METHOD ");
    expect(problemsOf(withApi({ listen: "/orders", endpoints })).filter(isFault)).toEqual([
      "CFG-METHOD apis.orders.endpoints.100.method",
    ]);
    const known = endpoints.slice(0, 100).flatMap((each) => [each, { ...each, path: "/b" }]);
    expect(problemsOf(withApi({ listen: "/orders", endpoints: known })).filter(isFault)).toEqual(
      [],
    );
  });
});

describe("EPT-C2, EPT-7, LIM-C10: entries that are not there are left out, the others keep their order", () => {
  test.each([
    [{ enabled: false }, false],
    [{ disabled: true }, false],
    [{ enabled: true }, true],
    [{ disabled: false }, true],
    [{ enabled: true, disabled: false }, true],
    [{ enabled: false, disabled: true }, false],
    [{ enabled: false, rate: "x", method: 7, path: "^" }, false], // a limit that is off is not checked
    [{ rate: 0, per: 0 }, false],
    [{ rate: null, per: null }, false],
  ])("%j: %s", (members, there) => {
    const applied = there ? ["GET /a 1/2000000"] : [];
    const last = { ...entry, path: "/{b}", rate: -1 };
    expect(endpointsOf({ listen: "/orders", endpoints: [{ ...entry, ...members }, last] })).toEqual(
      [...applied, "GET /{b} -1/2000000"],
    );
  });

  test.each([[{ enabled: true, disabled: true }], [{ enabled: false, disabled: false }]])(
    "%j is a contradiction",
    (members) => {
      expect(
        problemsOf(withApi({ listen: "/orders", endpoints: [{ ...entry, ...members }] })),
      ).toEqual(["CFG-ENABLED-CONTRADICTION apis.orders.endpoints.0.disabled"]);
    },
  );

  test("an entry after an equal one is warned of, with any names of wildcards", () => {
    const endpoints = [
      { ...entry, path: "/{a}" },
      { ...entry, path: "/*" },
      { ...entry, path: "/{a}", method: "POST" },
    ];
    expect(problemsOf(withApi({ listen: "/orders", endpoints }))).toEqual([
      "CFG-ENDPOINT-DUPLICATE apis.orders.endpoints.1",
    ]);
  });
});

test("a classic definition by default is active, requires a key and limits", () => {
  const api = configurationOf(withApi({ proxy: { listen_path: "/orders" } })).apis.get("orders");
  expect(api).toMatchObject({ active: true, keyless: false, disableRateLimit: false });
});

describe("a classic definition", () => {
  const definition = {
    api_id: "o1",
    name: "Orders",
    org_id: "org",
    slug: "orders",
    active: true,
    use_keyless: true,
    disable_rate_limit: true,
    proxy: {
      listen_path: "/orders/",
      target_url: "http://upstream.example",
      strip_listen_path: true,
    },
    global_rate_limit: { rate: 9, per: 3 },
    extended_paths: { rate_limit: [entry] },
    version_data: {
      not_versioned: true,
      default_version: "",
      versions: {
        Default: {
          name: "Default",
          use_extended_paths: true,
          extended_paths: { rate_limit: [{ ...entry, path: "/b" }] },
        },
        v2: { name: "v2", extended_paths: { rate_limit: [{ ...entry, path: "/c" }] } },
        v3: { name: "v3" },
      },
    },
  };
  const read: ApiDefinition = {
    id: "o1",
    name: "Orders",
    listenPath: "/orders",
    active: true,
    keyless: true,
    disableRateLimit: true,
    globalRateLimit: limitOf(9, 3),
    endpoints: ["/a", "/b", "/c"].map((path) => ({
      method: "GET",
      pattern: { text: path, pieces: [path] },
      limit: limitOf(1, 2),
    })),
    target: { origin: "http://upstream.example", path: "" },
    stripListenPath: true,
    form: "classic",
  };

  test.each([
    ["directly", definition],
    ["under definition", { definition }],
    [
      "with a versioning definition of its own",
      { ...definition, definition: { location: "header", key: "v" } },
    ],
    [
      "with listen and target beside it",
      {
        listen: "/orders",
        target: "http://upstream.example/",
        definition: { ...definition, proxy: { strip_listen_path: true } },
      },
    ],
    [
      "with listen in it",
      { ...definition, listen: "/orders", proxy: { ...definition.proxy, listen_path: null } },
    ],
  ])("%s", (_how, raw) => {
    expect(problemsOf(withApi(raw))).toEqual([]);
    expect(api(raw, "o1")).toEqual(read);
  });

  test("its id is api_id, else id, else its name in the map", () => {
    const proxy = { listen_path: "/orders" };
    const ids = [
      { api_id: "a", id: "b", proxy },
      { id: "b", proxy },
      { proxy },
      { api_id: "", proxy },
    ].map((raw) => [...configurationOf(withApi(raw)).apis.keys()]);
    expect(ids).toEqual([["a"], ["b"], ["orders"], ["orders"]]);
  });

  test("a limit that is switched off is not there", () => {
    expect(
      api({ ...definition, global_rate_limit: { rate: 9, per: 3, disabled: true } }, "o1")
        ?.globalRateLimit,
    ).toBeNull();
  });

  test.each([
    [{ ...definition, proxy: {} }, "CFG-REQUIRED apis.orders"],
    [{ definition: {} }, "CFG-REQUIRED apis.orders.definition"],
    [{ definition: 7 }, "CFG-TYPE apis.orders.definition"],
    [{ definition: null }, "CFG-TYPE apis.orders.definition"],
    [{ definition, listen: "/other" }, "CFG-CONFLICT apis.orders.listen"],
    [{ definition, keyless: true }, "CFG-UNKNOWN-FIELD apis.orders.keyless"],
    [{ ...definition, proxy: [] }, "CFG-TYPE apis.orders.proxy"],
    [
      { ...definition, version_data: { versions: [] } },
      "CFG-TYPE apis.orders.version_data.versions",
    ],
    [
      { ...definition, version_data: { versions: { v1: 1 } } },
      "CFG-TYPE apis.orders.version_data.versions.v1",
    ],
    [
      { ...definition, extended_paths: { rate_limits: [] } },
      "CFG-UNKNOWN-FIELD apis.orders.extended_paths.rate_limits",
    ],
    [{ ...definition, global_ratelimit: {} }, "CFG-UNKNOWN-FIELD apis.orders.global_ratelimit"],
    [{ ...definition, slug: 7 }, "CFG-TYPE apis.orders.slug"],
  ])("%j is an error", (raw, problem) => {
    expect(problemsOf(withApi(raw)).filter((line) => !line.startsWith("CFG-UNUSED"))).toContain(
      problem,
    );
  });

  test("members without effect are kept, in one warning that lists them", () => {
    // The other members of a definition as gateways of this kind export it: none is taken for a near miss.
    const rest =
      "use_oauth2 use_openid auth auth_configs use_basic_auth enable_jwt use_standard_auth use_mutual_tls_auth client_certificates notifications enable_signature_checking uptime_tests disable_quota custom_middleware cache_options session_lifetime internal auth_provider session_provider event_handlers enable_batch_request_support allowed_ips blacklisted_ips dont_set_quota_on_create expire_analytics_after response_processors CORS domain certificates do_not_track tags enable_context_vars config_data tag_headers strip_auth_data enable_detailed_recording graphql is_oas".split(
        " ",
      );
    const inProxy =
      "preserve_host_header disable_strip_slash enable_load_balancing target_list check_host_against_uptime_tests service_discovery transport".split(
        " ",
      );
    const inPaths =
      "ignored white_list black_list cache transform transform_headers transform_response_headers hard_timeouts circuit_breakers url_rewrites virtual size_limits method_transforms track_endpoints validate_json internal".split(
        " ",
      );
    const fieldsOf = (names: readonly string[]): object =>
      Object.fromEntries(names.map((name) => [name, null]));
    const raw = {
      ...fieldsOf(rest),
      ...definition,
      proxy: { ...fieldsOf(inProxy), ...definition.proxy },
      extended_paths: { ...fieldsOf(inPaths), ...definition.extended_paths },
    };
    expect(problemsOf(withApi(raw))).toEqual(["CFG-UNUSED-FIELDS apis.orders"]);
    const [message = ""] = messages(withApi(raw));
    expect(message).toContain("use_oauth2, use_openid");
    expect(message).toMatch(/ and \d+ more$/);
    expect(api(raw, "o1")).toEqual(read);
  });

  test("the list names members from the API on", () => {
    expect(
      messages(
        withApi({ definition: { ...definition, proxy: { ...definition.proxy, transport: {} } } }),
      ),
    ).toEqual(["stored, but without effect here: proxy.transport"]);
  });
});

describe("APIs among each other", () => {
  test.each([
    [{ ...orders, more: { listen: "/orders" } }, ["CFG-LISTEN-PATH-DUPLICATE apis.more"]],
    [{ ...orders, more: { listen: "/orders/more" } }, []],
    [{ ...orders, more: { api_id: "orders", listen: "/more" } }, ["CFG-ID-DUPLICATE apis.more"]],
    [{ "": { listen: "/a" } }, ["CFG-VALUE apis."]],
    [[], ["CFG-TYPE apis"]],
  ])("%j: %j", (apis, problems) => {
    expect(problemsOf({ apis })).toEqual(problems);
  });
});
