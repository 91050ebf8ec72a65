// No pattern of an administrator, and no text of a client, makes work that grows faster than its length: each regular
// expression that may meet either is attacked, and so is what looks for patterns without one.
import { globSync, readFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { join } from "node:path";
import { parse } from "acorn";
import { describe, expect, test } from "vitest";
import { parseAddress } from "#src/limiter/core/address.ts";
import { compilePattern } from "#src/limiter/world/pattern.ts";
import { targetOf } from "#src/limiter/world/target.ts";
import { matchesPattern } from "#src/limiter/core/resolve/endpoint.ts";
import { patternIdentity } from "#src/limiter/core/resolve/identity.ts";
import { parseOasDuration } from "#src/kit/units.ts";
import { normalizePath } from "#src/gateway/path.ts";
import { readJson } from "#src/gateway/management/json.ts";
import { maskTarget } from "#src/gateway/without-credentials.ts";
import { formatOf } from "#src/lab/implementations/haproxy/read-samples.ts";
import { parseHaproxy } from "#src/lab/implementations/haproxy/parse.ts";
import { maskText } from "#src/lab/implementations/masked.ts";
import { parseNginx } from "#src/lab/implementations/nginx/parse.ts";
import { valuesOf } from "#src/lab/implementations/spring-cloud-gateway/read-patterns.ts";
import { TRAEFIK_READER } from "#src/lab/implementations/traefik/read.ts";
import { globMatches } from "#src/lab/scenario/read/names.ts";
import { parseAllowedReceivers } from "#src/gateway/management/http/allowed-receivers.node.ts";
import { parseTrusted } from "#src/gateway/http/trusted.node.ts";
import { parseRedisAddress } from "#src/limiter/store/redis-address.ts";
import { nginxTemplate } from "#src/studies/replay/template.ts";
import { slowWith } from "./attacks.ts";
import { notLinear } from "./linear-work.ts";

const ROOT = join(import.meta.dirname, "../..");
/** What reads records, settings, worlds, requests, output of upstreams and stores, logs, and files of other limiters. */
const FOLDERS =
  "gateway,limiter,kit,lab/scenario/read,lab/implementations,studies/replay,studies/lint";

/** With the first place of each. */
function expressionsIn(folders: string): ReadonlyMap<string, RegExp> {
  const found = new Map<string, RegExp>();
  for (const file of globSync(`src/{${folders}}/**/*.ts`, { cwd: ROOT }).toSorted()) {
    const script = stripTypeScriptTypes(readFileSync(join(ROOT, file), "utf8"));
    parse(script, {
      ecmaVersion: "latest",
      sourceType: "module",
      onToken: (token) => {
        const { value } = token as { readonly value?: { readonly value?: unknown } };
        if (!(value?.value instanceof RegExp)) return;
        const { source, flags } = value.value;
        if (![...found.values()].some((one) => one.source === source && one.flags === flags))
          found.set(`${file} /${source}/${flags}`, value.value);
      },
    });
  }
  return found;
}

describe("an expression that reads the same letters again is reported", () => {
  test.each([/\/+$/, /^(a+)+$/, /\s+,/, /^(?:\w|\d)*!$/, /^a.*-.*-x$/])("%s", (pattern) => {
    expect(slowWith(pattern)).not.toBeNull();
  });
  test("one that reads each letter once is not reported", () => {
    expect(slowWith(/^\/[a-z]+(?:-[a-z]+)*$/)).toBeNull();
  });
});

test("no regular expression that meets what others write takes longer than the text is long", () => {
  const all = expressionsIn(FOLDERS);
  expect(all.size).toBeGreaterThan(600);
  const slow = [...all].flatMap(([place, pattern]) => {
    const why = slowWith(pattern);
    return why === null ? [] : [`${place}: ${why}`];
  });
  expect(slow).toEqual([]);
});

const many = (part: string, length: number): string =>
  part.repeat(Math.ceil(length / part.length)).slice(0, length);

const MASKING = { own: null, isCredential: () => false, isStrange: true };

/** Each with texts that grow, of a pattern as well where there is one. */
const WORK: Readonly<Record<string, (length: number) => () => unknown>> = {
  "an endpoint's path with ever more wildcards": (length) => {
    const { pattern } = compilePattern(`/${many("*a", length)}*b`);
    return () => matchesPattern(pattern!, `/${many("a", length)}`);
  },
  "an endpoint's path with a piece that is nearly there everywhere": (length) => {
    const { pattern } = compilePattern(`/*b${many("a", length / 2)}*`);
    return () => matchesPattern(pattern!, `/${many("a", length)}`);
  },
  "the same with what differs at the end": (length) => {
    const { pattern } = compilePattern(`/*${many("a", length / 2)}b*`);
    return () => matchesPattern(pattern!, `/${many("a", length)}`);
  },
  "and in the middle": (length) => {
    const half = many("a", length / 4);
    const { pattern } = compilePattern(`/*${half}b${half}*`);
    return () => matchesPattern(pattern!, `/${many("a", length)}`);
  },
  "an endpoint's path as it is read": (length) => () =>
    compilePattern(`/${many("{a}*(.*)", length)}`),
  "a path with escapes": (length) => () => normalizePath(`/${many("%41%2e/../", length)}`),
  "a path of slashes": (length) => () => normalizePath(many("/", length)),
  "a target with slashes at its end": (length) => () => targetOf(`http://a${many("/", length)}`),
  "a target with slashes in it": (length) => () => targetOf(`http://a${many("/", length)}x`),
  "a target with a long host": (length) => () => targetOf(`http://${many("a.", length)}:x`),
  "a target with a user's name": (length) => () => targetOf(`http://${many("a:", length)}@x`),
  "a webhook's filter, or another glob": (length) => () =>
    globMatches(`*${many("a*", length)}b`, many("a", length)),
  "a pattern of metadata": (length) => () =>
    patternIdentity({ a: many("x", length), rate_limit_pattern: many("$gw_meta.a|", length) }),
  "an address": (length) => () => parseAddress(many("1:", length)),
  "an address with a tail": (length) => () =>
    parseAddress(`${many("1:", length)}${many("1.", length)}`),
  "a duration": (length) => () => parseOasDuration(many("1", length)),
  "a trusted proxy": (length) => () => parseTrusted([many("1/", length)]),
  "an allowed receiver": (length) => () => parseAllowedReceivers([`[${many("1:", length)}`]),
  "the address of a store": (length) => () => parseRedisAddress(`redis://${many("a@", length)}?`),
  "a body of brackets": (length) => () => readJson(many("[", length)),
  "a body of backslashes": (length) => () => readJson(`"${many("\\", length)}`),
  "a body of digits": (length) => () => readJson(`[${many("9", length)}]`),
  "a body of quotation marks": (length) => () => readJson(`[${many('"",', length)}""]`),
  "names with values that are names": (length) => () => maskText(many("a=", length)),
  "values with a quote": (length) => () => maskText(many('token="\\"', length)),
  "a program of nginx with ever more comments": (length) => () =>
    parseNginx({ file: "", text: `a_by_lua_block {${many("--[[", length)}` }),
  "programs of nginx without a long string": (length) => () =>
    parseNginx({ file: "", text: many("a_by_lua_block {[[}", length) }),
  "a log format of HAProxy with ever more samples": (length) => () =>
    formatOf(many("%[src]%[", length), new Set()),
  "variables of HAProxy without their end": (length) => () =>
    parseHaproxy({ file: "", text: `global\n"${many("${a-", length)}"` }, () => ""),
  "a configuration of Traefik with ever more http": (length) => () =>
    TRAEFIK_READER.recognizes({ file: "", text: many("http:\n", length) }),
  "values of Spring within braces": (length) => () => valuesOf(many("{,", length)),
  "a log_format with ever more quotes": (length) => () =>
    nginxTemplate(`log_format a ${many("'$a' ", length)}`),
  "a target in the log": (length) => () => maskTarget(`/${many("aA0_%41/", length)}`, MASKING),
};

test.each(Object.entries(WORK))(
  "%s: four times the length is about four times the work",
  (_, work) => {
    expect(notLinear(work)).toBeNull();
  },
);
