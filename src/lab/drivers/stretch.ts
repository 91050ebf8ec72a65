// Makes a scenario k times as slow, for drivers whose times are less certain: multiplies durations, divides
// frequencies.
import type {
  AccessRight,
  ApiDefinition,
  Configuration,
  EndpointLimit,
  GatewayOptions,
  Key,
  Policy,
} from "../../limiter/core/config.ts";
import type { Limit } from "../../limiter/core/limit.ts";
import { micros, type Micros } from "../../kit/units.ts";
import type {
  Comparison,
  Distribution,
  Expectation,
  Fault,
  Filter,
  Flow,
  Measure,
  TrafficShape,
  Variant,
} from "../scenario/types.ts";
import type { Environment } from "../scenario/world.ts";
import { EPOCH_US } from "../sim/engine.ts";
import { stretchRaw } from "./stretch-raw.ts";

export function stretchVariant(variant: Variant, k: number): Variant {
  if (k === 1) return variant;
  const by = slower(k);
  const { world } = variant;
  return {
    ...variant,
    world: {
      ...world,
      configuration:
        world.configuration === null ? null : configurationBy(world.configuration, by, k),
      raw: stretchRaw(world.raw, k),
      environment: environmentBy(world.environment, by),
    },
    traffic: variant.traffic.map((flow) => flowBy(flow, by, k)),
    faults: variant.faults.map((fault) => faultBy(fault, by, k)),
    expectations: variant.expectations.map((expectation): Expectation => ({
      ...expectation,
      measure: measureBy(expectation.measure, by),
    })),
  };
}

type By = (us: Micros) => Micros;

const slower =
  (k: number): By =>
  (us) =>
    micros(Math.round(us * k));

// ---------------------------------------------------------------- world

const limitBy = (limit: Limit, by: By): Limit => ({
  rate: limit.rate,
  perUs: by(limit.perUs),
  smoothing:
    limit.smoothing === null ? null : { ...limit.smoothing, delayUs: by(limit.smoothing.delayUs) },
});

const perhaps = (limit: Limit | null, by: By): Limit | null =>
  limit === null ? null : limitBy(limit, by);

const endpointsBy = (endpoints: readonly EndpointLimit[], by: By): readonly EndpointLimit[] =>
  endpoints.map((entry) => ({ ...entry, limit: limitBy(entry.limit, by) }));

const mapValues = <T>(
  map: ReadonlyMap<string, T>,
  change: (value: T) => T,
): ReadonlyMap<string, T> => new Map([...map].map(([name, value]) => [name, change(value)]));

function configurationBy(configuration: Configuration, by: By, k: number): Configuration {
  const { apis, policies, keys, options, shadow } = configuration;
  const stretchAllotment = <T extends AccessRight | Key | Policy>(one: T): T => ({
    ...one,
    limit: perhaps(one.limit, by),
    quota: one.quota === null ? null : { ...one.quota, renewalUs: by(one.quota.renewalUs) },
    throttle:
      one.throttle === null ? null : { ...one.throttle, intervalUs: by(one.throttle.intervalUs) },
  });
  const right = (one: AccessRight): AccessRight => ({
    ...stretchAllotment(one),
    endpoints: endpointsBy(one.endpoints, by),
  });
  const holder = <T extends Key | Policy>(one: T): T => ({
    ...stretchAllotment(one),
    accessRights: one.accessRights === null ? null : mapValues(one.accessRights, right),
  });
  return {
    apis: mapValues(apis, (api): ApiDefinition => ({
      ...api,
      globalRateLimit: perhaps(api.globalRateLimit, by),
      endpoints: endpointsBy(api.endpoints, by),
    })),
    policies: mapValues(policies, holder),
    keys: mapValues(keys, (key) => ({ ...holder(key), expiresUs: momentBy(key.expiresUs, by) })),
    options: optionsBy(options, by, k),
    shadow: shadow === null ? null : configurationBy(shadow, by, k),
  };
}

const momentBy = (us: Micros, by: By): Micros =>
  Number.isFinite(us) ? micros(EPOCH_US + by(micros(us - EPOCH_US))) : us;

const optionsBy = (options: GatewayOptions, by: By, k: number): GatewayOptions => ({
  ...options,
  drlThreshold: options.drlThreshold / k,
  drlExpiryUs: by(options.drlExpiryUs),
  drlNotificationFrequencyUs: by(options.drlNotificationFrequencyUs),
  storeTimeoutUs: by(options.storeTimeoutUs),
});

function distributionBy(distribution: Distribution, by: By): Distribution {
  switch (distribution.kind) {
    case "constant":
      return { ...distribution, us: by(distribution.us) };
    case "uniform":
      return { ...distribution, fromUs: by(distribution.fromUs), toUs: by(distribution.toUs) };
    case "exponential":
      return { ...distribution, meanUs: by(distribution.meanUs) };
    case "lognormal":
      return {
        ...distribution,
        medianUs: by(distribution.medianUs),
        p99Us: by(distribution.p99Us),
      };
  }
}

const environmentBy = (environment: Environment, by: By): Environment => ({
  ...environment,
  networkUs: distributionBy(environment.networkUs, by),
  storeUs: distributionBy(environment.storeUs, by),
  upstreamUs: distributionBy(environment.upstreamUs, by),
  skewUs: environment.skewUs.map(by),
});

function faultBy(fault: Fault, by: By, k: number): Fault {
  switch (fault.kind) {
    case "store_slow":
      return {
        ...fault,
        fromUs: by(fault.fromUs),
        toUs: by(fault.toUs),
        latencyUs: distributionBy(fault.latencyUs, by),
      };
    case "store_down":
      return { ...fault, fromUs: by(fault.fromUs), toUs: by(fault.toUs) };
    case "clock_skew":
      return { ...fault, atUs: by(fault.atUs), skewUs: by(fault.skewUs) };
    case "configure":
      return {
        ...fault,
        atUs: by(fault.atUs),
        configuration: configurationBy(fault.configuration, by, k),
        raw: stretchRaw(fault.raw, k),
      };
    case "store_restart":
    case "gateway_restart":
    case "gateway_crash":
    case "gateway_leave":
    case "gateway_join":
      return { ...fault, atUs: by(fault.atUs) };
  }
}

// ---------------------------------------------------------------- traffic

function flowBy(flow: Flow, by: By, k: number): Flow {
  const { behaviour } = flow;
  return {
    ...flow,
    atUs: by(flow.atUs),
    shape: shapeBy(flow.shape, by, k),
    behaviour:
      behaviour.kind === "backoff"
        ? {
            ...behaviour,
            baseUs: by(behaviour.baseUs),
            ...(behaviour.maxUs !== undefined && { maxUs: by(behaviour.maxUs) }),
          }
        : behaviour,
  };
}

function shapeBy(shape: TrafficShape, by: By, k: number): TrafficShape {
  switch (shape.kind) {
    case "burst":
      return shape;
    case "every":
      return { ...shape, intervalUs: by(shape.intervalUs) };
    case "rate":
    case "poisson":
    case "population":
      return { ...shape, rate: shape.rate / k, forUs: by(shape.forUs) };
    case "cron":
      return {
        ...shape,
        everyUs: by(shape.everyUs),
        offsetUs: by(shape.offsetUs),
        jitterUs: by(shape.jitterUs),
        forUs: by(shape.forUs),
      };
    case "stages":
      return {
        ...shape,
        stages: shape.stages.map((stage) => ({
          ...stage,
          fromRate: stage.fromRate / k,
          toRate: stage.toRate / k,
          forUs: by(stage.forUs),
        })),
      };
    case "on_off":
      return {
        ...shape,
        onUs: by(shape.onUs),
        offUs: by(shape.offUs),
        rate: shape.rate / k,
        forUs: by(shape.forUs),
      };
    case "trace":
      return { ...shape, timesUs: shape.timesUs.map(by) };
  }
}

// ---------------------------------------------------------------- expectations

const duringBy = (during: Filter["during"], by: By): Filter["during"] =>
  during === null ? null : { fromUs: by(during.fromUs), toUs: by(during.toUs) };

const filterBy = (filter: Filter, by: By): Filter => ({
  ...filter,
  during: duringBy(filter.during, by),
});

function comparisonBy(comparison: Comparison, by: By): Comparison {
  return comparison.op === "between"
    ? { ...comparison, from: by(micros(comparison.from)), to: by(micros(comparison.to)) }
    : { ...comparison, value: by(micros(comparison.value)) };
}

function measureBy(measure: Measure, by: By): Measure {
  switch (measure.kind) {
    case "sequence":
    case "decisions":
    case "count":
    case "gaveUp":
    case "quantity":
    case "response":
    case "sameAs":
      return { ...measure, filter: filterBy(measure.filter, by) };
    case "maxInAnyWindow":
      return { ...measure, filter: filterBy(measure.filter, by), windowUs: by(measure.windowUs) };
    case "timeToAdmission":
      return {
        ...measure,
        filter: filterBy(measure.filter, by),
        comparison: comparisonBy(measure.comparison, by),
      };
    case "events":
    case "deliveries":
      return { ...measure, during: duringBy(measure.during, by) };
    case "gapBetween":
      return { ...measure, comparison: comparisonBy(measure.comparison, by) };
    case "gauge":
      return { ...measure, withinUs: measure.withinUs === null ? null : by(measure.withinUs) };
    case "changeOf":
    case "answer":
    case "configuration":
    case "invariant":
      return measure;
  }
}
