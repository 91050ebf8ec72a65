// One API in every form that a world allows: short, classic, OAS.
import * as fc from "fast-check";
import type { Json } from "../../../kit/reading/shape.ts";
import { WINDOWS } from "./limits.ts";
import { without, type RawObject } from "./worlds.ts";

export const maybe = (arbitrary: fc.Arbitrary<RawObject>, freq = 2): fc.Arbitrary<RawObject> =>
  fc.option(arbitrary, { nil: {}, freq });

/** Large rates, which win merges. A burst of `BURST` requests exceeds the first two rates. */
const LARGE = [999, 2001, 100_000, 1_000_000];
export const BURST = 2100;

const rate = fc.oneof(
  { weight: 14, arbitrary: fc.integer({ min: 1, max: 6 }) },
  { weight: 1, arbitrary: fc.constantFrom(-1, 0, 1.5, 2.999999) },
  { weight: 1, arbitrary: fc.constantFrom(...LARGE) },
);
export const per = fc.constantFrom(...WINDOWS);
export const plain: fc.Arbitrary<RawObject> = fc.record({ rate, per });
// Pairs of paths that are one resource or two, depending on options (EPT-C7).
export const ENTRIES = [
  "/x",
  "/X",
  "/x/",
  "/x;v=1",
  "/caf%C3%A9",
  "/caf%c3%a9",
  "/x/{id}",
  "/x/*/y",
  "*",
];
export const METHODS = ["GET", "HEAD", "POST"];
const SWITCHES: readonly RawObject[] = [
  {},
  {},
  { enabled: false },
  { enabled: true },
  { disabled: true },
];

const entries: fc.Arbitrary<readonly RawObject[]> = fc
  .uniqueArray(
    fc.record({
      path: fc.constantFrom(...ENTRIES),
      method: fc.constantFrom(...METHODS),
      limit: plain,
      on: fc.constantFrom(...SWITCHES),
    }),
    { maxLength: 3, selector: ({ path, method }) => `${method} ${path}` },
  )
  .map((all) => all.map(({ limit, on, ...where }) => ({ ...where, ...limit, ...on })));

export const KEY_BY: readonly RawObject[] = [
  {},
  {},
  {},
  { key_by: "credential" },
  { key_by: "ip" },
  { key_by: { header: "X-Tenant" } },
];

const keyless = fc.constantFrom(false, false, false, true);
const disabled = fc.constantFrom(...Array.from({ length: 9 }, () => false), true);

export const short = (name: string): fc.Arbitrary<RawObject> =>
  fc
    .record({
      limit: maybe(plain, 1),
      endpoints: entries,
      keyless,
      disable_rate_limit: disabled,
      by: fc.constantFrom(...KEY_BY),
    })
    .map(({ limit, by, ...rest }) => ({ listen: `/${name}`, ...limit, ...rest, ...by }));

/** Where Weir's fields are: around a definition, or pasted into it. In both forms, `listen` may give the path. */
const FORMS = [
  "wrapped",
  "wrapped",
  "pasted",
  "pasted with listen",
  "wrapped with listen",
] as const;
type Form = (typeof FORMS)[number];

const hasListen = (form: Form): boolean => form.endsWith("with listen");

function placeDefinition(
  form: Form,
  around: "definition" | "openapi",
  definition: RawObject,
  own: RawObject,
): RawObject {
  return form.startsWith("wrapped") ? { [around]: definition, ...own } : { ...definition, ...own };
}

export const classic = (name: string): fc.Arbitrary<RawObject> =>
  fc
    .record({
      limit: fc.option(plain, { nil: undefined, freq: 1 }),
      endpoints: entries,
      more: entries,
      keyless,
      disabled,
      by: fc.constantFrom(...KEY_BY),
      form: fc.constantFrom(...FORMS),
      id: fc.constantFrom("api_id", "id", null),
    })
    .map(({ limit, endpoints, more, by, form, id, ...rest }) => {
      const isShort = hasListen(form);
      const definition = without({
        name,
        active: true,
        use_keyless: rest.keyless,
        disable_rate_limit: rest.disabled,
        proxy: isShort
          ? undefined
          : { listen_path: `/${name}/`, target_url: "http://upstream.example" },
        global_rate_limit: limit,
        extended_paths: { rate_limit: endpoints },
        version_data: { versions: { Default: { extended_paths: { rate_limit: more } } } },
      });
      const idField = id === null ? {} : { [id]: name };
      const own = { ...by, ...(isShort && { listen: `/${name}` }) };
      return placeDefinition(form, "definition", { ...definition, ...idField }, own);
    });

const OPERATIONS = ["/x", "/x/{id}", "/x/{id}/y", "/x/{id}/{y}", "/caf%c3%a9", "/{any}"];
/** Windows as strings of OAS, which cannot have fractions (EPT-C4). */
const SPELLED = ["1ms", "500ms", "1s", "1s500ms", "7s", "1m", "1h", "24h", "8760h"];

const spelled = fc
  .record({
    rate: fc.integer({ min: 1, max: 5 }),
    per: fc.constantFrom(...SPELLED),
    on: fc.constantFrom<RawObject>({}, { enabled: true }, { enabled: true }, { enabled: false }),
  })
  .map(({ on, ...limit }): Json => ({ ...limit, ...on }));

export const oas = (name: string): fc.Arbitrary<RawObject> =>
  fc
    .record({
      operations: fc.uniqueArray(
        fc.record({
          path: fc.constantFrom(...OPERATIONS),
          method: fc.constantFrom("get", "get", "head", "post"),
          limit: fc.option(spelled, { nil: null, freq: 5 }),
        }),
        { maxLength: 5, selector: ({ path, method }) => `${method} ${path}` },
      ),
      upstream: fc.option(spelled, { nil: null, freq: 2 }),
      keyless,
      skipped: disabled,
      by: fc.constantFrom(...KEY_BY),
      form: fc.constantFrom(...FORMS),
    })
    .map(({ operations, upstream, skipped, by, form, ...rest }) => {
      const operationsWithIds = operations.map((each, index) => ({ ...each, id: `op${index}` }));
      const paths = Object.groupBy(operationsWithIds, ({ path }) => path);
      const isShort = hasListen(form);
      const document = {
        openapi: "3.0.3",
        info: { title: name, version: "1" },
        paths: Object.fromEntries(
          Object.entries(paths).map(([path, each = []]) => [
            path,
            Object.fromEntries(
              each.map(({ method, id }) => [method, { operationId: id, responses: {} }]),
            ),
          ]),
        ),
        "x-gw-api-gateway": without({
          info: { id: name, state: { active: true } },
          server: without({
            listenPath: isShort ? undefined : { value: `/${name}/` },
            authentication: { enabled: !rest.keyless },
          }),
          upstream: upstream === null ? undefined : { rateLimit: upstream },
          middleware: {
            global: { skipRateLimit: skipped },
            operations: Object.fromEntries(
              operationsWithIds.flatMap(({ id, limit }) =>
                limit === null ? [] : [[id, { rateLimit: limit }]],
              ),
            ),
          },
        }),
      };
      const own = { ...by, ...(isShort && { listen: `/${name}` }) };
      return placeDefinition(form, "openapi", document, own);
    });
