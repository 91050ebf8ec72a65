import { describe, expect, test } from "vitest";
import { ALGORITHMS } from "#src/limiter/core/algorithms.ts";
import {
  optionsOfClaims,
  PROFILE_NAMES,
  PROFILES,
  withProfile,
} from "#src/limiter/spec/profiles.ts";
import { configurationOf, messages, problemsOf } from "./worlds.ts";

const read = (gateway: object) => configurationOf({ gateway }).options;

describe("a profile (ALG-C11)", () => {
  test.each(PROFILE_NAMES)("%s is read as its options", (profile) => {
    const { options, imitate } = { imitate: undefined, ...PROFILES[profile] };
    expect(problemsOf({ gateway: { profile } })).toEqual([]);
    expect(read({ profile })).toEqual(
      read(imitate === undefined ? options : { ...options, imitate }),
    );
  });

  test("of Envoy is a bucket that keeps 20 budgets", () => {
    expect(read({ profile: "envoy" })).toMatchObject({
      algorithm: "gcra",
      burst: "rate",
      imitation: { keys: 20, clockResolutionUs: null, refused: null },
    });
  });

  test("has next to it what its limiter can be configured with", () => {
    expect(read({ profile: "nginx", burst: 3, normalize_path: false })).toMatchObject({
      algorithm: "gcra",
      burst: 3,
      normalizePath: false,
      imitation: { clockResolutionUs: 1000 },
    });
    expect(read({ profile: "tyk", algorithm: "sliding_log" }).algorithm).toBe("sliding_log");
  });

  test.each([
    [
      { profile: "nginx", algorithm: "fixed_window" },
      'profile nginx sets algorithm to "gcra": remove algorithm, or write the options of the profile out',
    ],
    [
      { profile: "nginx", imitate: { keys: 3 } },
      "profile nginx sets imitate: remove imitate, or write the options of the profile out",
    ],
    [
      { profile: "ngnix" },
      `and ${PROFILE_NAMES.length - 20} more; got "ngnix"; did you mean "nginx"?`,
    ],
  ])("%j is an error", (gateway, message) => {
    expect(messages({ gateway }).join()).toContain(message);
  });

  test("claims the options without their words, or those of its documentation", () => {
    expect(optionsOfClaims({ profile: "varnish", burst: 2 })).toEqual({
      algorithm: "gcra",
      burst: 2,
      rate_limit_headers: "off",
    });
    expect(optionsOfClaims({ profile: "nestjs-throttler" })["algorithm"]).toBe("fixed_window");
    expect(withProfile({ profile: "nestjs-throttler" })["algorithm"]).toBe("sliding_log");
    expect(optionsOfClaims({ algorithm: "gcra" })).toEqual({ algorithm: "gcra" });
  });
});

describe("imitate", () => {
  test("without a word is none", () => {
    expect(read({ algorithm: "gcra", imitate: {} }).imitation).toBeNull();
    expect(read({ algorithm: "gcra", imitate: { keys: null } }).imitation).toBeNull();
  });

  test.each([
    [{ tokens: "whole" }, "token_bucket, gcra"],
    [{ weights: "rounded_down" }, "sliding_window_counter"],
    [{ last_of_window: "refused_by_client_limits" }, "fixed_window"],
  ])("%j belongs to some algorithms", (imitate, algorithms) => {
    const errors = ALGORITHMS.filter(
      (algorithm) => problemsOf({ gateway: { algorithm, imitate } }).length > 0,
    );
    expect(errors).toEqual(ALGORITHMS.filter((each) => !algorithms.split(", ").includes(each)));
    expect(messages({ gateway: { imitate } }).join()).toContain("and algorithm is unset");
  });

  test.each([
    [{ keys: 0 }, "keys must be an integer of at least 1; got 0"],
    [{ block: 0 }, "block"],
    [{ clock_resolution: "-1s" }, "clock_resolution"],
    [
      { refused: "never" },
      "refused must be one of free, counted, counted_by_all, extends, opens_window",
    ],
    [{ token: "whole" }, 'did you mean "tokens"?'],
  ])("%j is an error", (imitate, message) => {
    expect(messages({ gateway: { algorithm: "fixed_window", imitate } }).join()).toContain(message);
  });
});
