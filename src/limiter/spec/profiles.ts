// Limiters of other products, as options of Weir's gateway (docs/reference/profiles.md). `imitate` describes rules that
// no specified algorithm has. A profile is named after the implementation in `src/lab/implementations`.

type OptionValue = string | number | boolean;

export interface Profile {
  /** Options of the gateway, in the form of a world file. */
  readonly options: Readonly<Record<string, OptionValue>>;
  /** The gateway's map `imitate`; left out: the algorithm alone describes the limiter. */
  readonly imitate?: Readonly<Record<string, OptionValue>>;
  /** Options that users of the product can configure, so they may be set in addition to the profile. */
  readonly adjustable?: readonly string[];
  /** Options that the product's documentation claims; left out: `options`, without the imitation. */
  readonly claims?: Readonly<Record<string, OptionValue>>;
}

const NO_HEADERS = { rate_limit_headers: "off" } as const;
const BUCKET = { algorithm: "gcra", burst: "rate", ...NO_HEADERS } as const;
const TOKEN_BUCKET = { algorithm: "token_bucket", burst: "rate", ...NO_HEADERS } as const;
const TWO_WINDOWS = { algorithm: "sliding_window_counter", ...NO_HEADERS } as const;
const LOG = { algorithm: "sliding_log", ...NO_HEADERS } as const;
const WINDOW = {
  algorithm: "fixed_window",
  fixed_window_start: "first_request",
  ...NO_HEADERS,
} as const;
const CLOCK_WINDOW = { ...WINDOW, fixed_window_start: "clock" } as const;

/** Places in the queue of a limiter that refuses nothing: more than any traffic needs. */
const ANY_QUEUE = 1_000_000_000;

const MILLISECONDS = { clock_resolution: "1ms" } as const;
const WHOLE_SECONDS = { clock_resolution: "1s" } as const;
/** JavaScript middleware: each attempt increases a count, and `Date` is the clock. */
const COUNTED = { ...MILLISECONDS, refused: "counted" } as const;

const SERVICE_OF_ENVOY = { ...CLOCK_WINDOW, rate_limit_headers: "legacy" } as const;

const STICK_TABLE = { ...MILLISECONDS, window_start: "first_request" } as const;

export const PROFILES = {
  aiolimiter: { options: BUCKET },
  "apache-mod-qos": {
    options: WINDOW,
    imitate: {
      ...WHOLE_SECONDS,
      refused: "counted_by_all",
      window_end: "counted",
      last_of_window: "refused_by_client_limits",
    },
  },
  bottleneck: {
    options: WINDOW,
    imitate: { ...MILLISECONDS, window_start: "first_of_key" },
  },
  "bucket4j/greedy": { options: TOKEN_BUCKET, imitate: { changed_limit: "share_stays" } },
  "bucket4j/intervally": {
    options: WINDOW,
    imitate: { window_start: "first_of_key", changed_limit: "share_stays" },
  },
  "django-ratelimit": {
    options: CLOCK_WINDOW,
    imitate: { refused: "counted", window_start: "hash_of_key", changed_limit: "new_budget" },
  },
  envoy: {
    options: { ...BUCKET, rate_limit_headers: "legacy" },
    imitate: { keys: 20, levels: "in_sequence" },
  },
  "envoy-ratelimit/all-descriptors": {
    options: SERVICE_OF_ENVOY,
    imitate: { refused: "counted_by_all" },
  },
  "envoy-ratelimit/stop-over-limit": {
    options: SERVICE_OF_ENVOY,
    imitate: { refused: "counted" },
  },
  "express-rate-limit": { options: WINDOW, imitate: COUNTED },
  "fastify-rate-limit/default": { options: WINDOW, imitate: { ...COUNTED, keys: 5000 } },
  "fastify-rate-limit/continue-exceeding": {
    options: WINDOW,
    imitate: { ...MILLISECONDS, refused: "extends", keys: 5000 },
  },
  governor: { options: BUCKET },
  guava: { options: TOKEN_BUCKET, imitate: { tokens: "on_credit", changed_limit: "share_stays" } },
  "haproxy/rate": {
    options: TWO_WINDOWS,
    // A request is counted before it is evaluated, so the present window contains it.
    imitate: {
      ...STICK_TABLE,
      weights: "rounded_down",
      refused: "counted",
      levels: "in_sequence",
    },
  },
  "haproxy/admitted": {
    options: TWO_WINDOWS,
    imitate: { ...STICK_TABLE, weights: "single_in_full" },
  },
  "hono-rate-limiter": { options: WINDOW, imitate: COUNTED },
  "leaky-bucket": { options: WINDOW, imitate: { window_start: "drifting" } },
  limiter: { options: TOKEN_BUCKET, imitate: { tokens: "within_window" } },
  "limits/fixed-window": { options: WINDOW, imitate: { refused: "counted" } },
  "limits/moving-window": { options: LOG, imitate: { refused: "free", window_end: "counted" } },
  "limits/sliding-window-counter": {
    options: TWO_WINDOWS,
    imitate: { weights: "rounded_down" },
  },
  "nestjs-throttler": {
    options: LOG,
    imitate: { ...MILLISECONDS, refused: "free", block: "per" },
    claims: WINDOW,
  },
  nginx: { options: BUCKET, imitate: MILLISECONDS },
  "pyrate-limiter": {
    options: LOG,
    imitate: { ...MILLISECONDS, refused: "free", window_end: "counted" },
  },
  "rate-limiter-flexible": { options: WINDOW, imitate: COUNTED },
  "redis-rate": { options: BUCKET, imitate: { changed_limit: "share_stays" } },
  resilience4j: { options: WINDOW, imitate: { window_start: "first_of_key" } },
  slowapi: { options: WINDOW, imitate: { refused: "counted", changed_limit: "new_budget" } },
  "spring-cloud-gateway": {
    options: { ...BUCKET, rate_limit_headers: "legacy" },
    imitate: { ...WHOLE_SECONDS, lifetime: "whole_seconds" },
  },
  "throttled-go": { options: BUCKET },
  "throttled-py/fixed-window": { options: CLOCK_WINDOW, imitate: { refused: "counted" } },
  "throttled-py/sliding-window": {
    options: TWO_WINDOWS,
    imitate: { ...MILLISECONDS, refused: "opens_window", weights: "floating" },
  },
  "throttled-py/token-bucket": {
    options: TOKEN_BUCKET,
    imitate: { ...WHOLE_SECONDS, tokens: "whole" },
  },
  "throttled-py/leaking-bucket": {
    options: TOKEN_BUCKET,
    imitate: { ...WHOLE_SECONDS, tokens: "whole" },
  },
  "throttled-py/gcra": { options: BUCKET },
  tyk: {
    options: {
      algorithm: "drl",
      limit_order: "key_first",
      policy_budgets: "apart",
      fixed_window_start: "clock",
      sentinel_mark: "fixed",
    },
    adjustable: ["algorithm"],
  },
  "uber-ratelimit": {
    options: { algorithm: "leaky_bucket", queue: ANY_QUEUE, ...NO_HEADERS },
    imitate: { saved_turns: 10 },
  },
  "ulule-limiter": { options: WINDOW, imitate: { refused: "counted", window_end: "counted" } },
  varnish: { options: BUCKET, imitate: { tokens: "whole", levels: "in_sequence" } },
  "x-time-rate": { options: TOKEN_BUCKET, imitate: { changed_limit: "units_stay" } },
} as const satisfies Readonly<Record<string, Profile>>;

export type ProfileName = keyof typeof PROFILES;
export const PROFILE_NAMES = Object.keys(PROFILES) as unknown as readonly [
  ProfileName,
  ...ProfileName[],
];

const BY_NAME: ReadonlyMap<string, Profile> = new Map(Object.entries(PROFILES));

/** The profile with this name; undefined if there is none. */
export const profileCalled = (name: unknown): Profile | undefined =>
  typeof name === "string" ? BY_NAME.get(name) : undefined;

type RawOptions = Readonly<Record<string, unknown>>;

/** The options of the profile, overridden by `options`. Without a profile, returns `options` unchanged. */
export function withProfile(options: RawOptions): RawOptions {
  const profile = profileCalled(options["profile"]);
  if (profile === undefined) return options;
  const { imitate } = profile;
  return { ...profile.options, ...(imitate === undefined ? {} : { imitate }), ...options };
}

/** The options that a product's documentation claims, without the deviations that were measured. */
export function optionsOfClaims(options: RawOptions): RawOptions {
  const { profile: name, imitate: _, ...others } = options;
  const profile = profileCalled(name);
  return { ...(profile?.claims ?? profile?.options), ...others };
}
