// Samples of HAProxy: what keys and conditions read from a request, such as src or hdr(x-api-key),lower.
import { formatAddress, networkOf, parseAddress } from "../../../limiter/core/address.ts";
import { Failure, isFailure } from "../../../kit/reading/failure.ts";
import type { RequestFacts } from "../reading.ts";
import { decode, parametersOf, pathOf, queryOf } from "../request-parts.ts";
import { regexOf, replacementOf } from "../regex.ts";
import { callOf, splitOutside, type HaproxyCall, type Words } from "./parse.ts";

/** A request on its way through the rules. */
export interface HaproxyPassage {
  readonly request: RequestFacts;
  readonly variables: Map<string, string>;
}

/** The values of a sample, such as those of a header with commas. Empty: the request has none. */
export type Sample = (passage: HaproxyPassage) => readonly string[];

const some = (value: string): readonly string[] => (value === "" ? [] : [value]);

type Simple = (request: RequestFacts) => readonly string[];

/**
 * A hash separates clients as the value does, also in a table with short keys. Which hash HAProxy has makes no
 * difference to that.
 */
function hashOf(text: string): string {
  let hash = 0xcbf2_9ce4_8422_2325n;
  for (const sign of text)
    hash = BigInt.asUintN(64, (hash ^ BigInt(sign.codePointAt(0)!)) * 0x100_0000_01b3n);
  return hash.toString(36);
}

/** Fetches without arguments. */
const FETCHES: Readonly<Record<string, Simple>> = {
  src: ({ address }) => some(address),
  method: ({ method }) => [method],
  path: (request) => [pathOf(request)],
  pathq: ({ target }) => [target],
  url: ({ target }) => [target],
  query: (request) => (request.target.includes("?") ? [queryOf(request)] : []),
  base: (request) => [request.host + pathOf(request)],
  base32: (request) => [hashOf(request.host + pathOf(request))],
  "base32+src": (request) => [hashOf(`${request.host}${pathOf(request)} ${request.address}`)],
  url32: ({ host, target }) => [hashOf(host + target)],
  "url32+src": ({ host, target, address }) => [hashOf(`${host}${target} ${address}`)],
  always_true: () => ["1"],
  always_false: () => ["0"],
};

/** Compiles `fetch(args),converter(args),...`. Headers that it reads are added to `headers`. */
export function sampleOf(text: string, headers: Set<string>): Sample | Failure {
  const [first = "", ...others] = splitOutside(text);
  const fetch = callOf(first);
  let sample = fetch === null ? new Failure(`"${first}" is no sample`) : fetchOf(fetch, headers);
  for (const other of others) {
    if (isFailure(sample)) return sample;
    const call = callOf(other);
    const convert = call === null ? null : converterOf(call);
    if (convert === null) return new Failure(`this reader does not know the converter "${other}"`);
    const inner = sample;
    sample = (passage) => inner(passage).flatMap((value) => convert(value, passage));
  }
  return sample;
}

function fetchOf({ name, args }: HaproxyCall, headers: Set<string>): Sample | Failure {
  const simple = args.length === 0 ? FETCHES[name] : undefined;
  if (simple !== undefined) return ({ request }) => simple(request);
  const [first = "", second] = args;
  switch (name.replace(/^req\./, "")) {
    case "hdr":
    case "fhdr":
    case "hdr_ip": {
      const header = first.toLowerCase();
      headers.add(header);
      const isWhole = name.endsWith("fhdr");
      return ({ request }) => {
        const value = header === "host" ? request.host : (request.header(header) ?? "");
        const all = isWhole ? some(value) : value.split(",").map((each) => each.trim());
        const valid = all.filter((each) =>
          name.endsWith("_ip") ? parseAddress(each) !== null : each !== "",
        );
        return second === undefined ? valid : some(valid.at(indexOf(Number(second))) ?? "");
      };
    }
    case "cook":
      headers.add("cookie");
      return ({ request }) => some(cookieIn(request.header("cookie") ?? "", first));
    case "urlp":
    case "url_param":
      return ({ request }) => parametersOf(request).getAll(first);
    case "str":
      return () => [first];
    case "bool":
      return () => [/^(?:true|1)$/.test(first) ? "1" : "0"];
    case "int":
      return () => [first];
    case "var":
      return ({ variables }) => {
        const value = variables.get(first);
        return value === undefined ? [] : [value];
      };
    default:
      return new Failure(`this reader does not know ${name}`);
  }
}

/** Occurrences count from 1, or from the last one by -1. */
const indexOf = (occurrence: number): number => (occurrence > 0 ? occurrence - 1 : occurrence);

const cookieIn = (header: string, name: string): string =>
  header
    .split(/;\s*/)
    .find((each) => each.startsWith(`${name}=`))
    ?.slice(name.length + 1) ?? "";

type Converter = (value: string, passage: HaproxyPassage) => readonly string[];

const HASHES = /^(?:crc32c?|sdbm|djb2|wt6|xxh32|xxh64|xxh3|sha1|sha2|md5|digest|hmac)$/;

/** Converters that give another text for each value. */
const ENCODINGS = /^(?:hex|base64|ub64enc)$/;

function converterOf({ name, args }: HaproxyCall): Converter | null {
  if (HASHES.test(name)) return (value) => [hashOf(value)];
  if (ENCODINGS.test(name)) return (value) => [value];
  const [first = "", second = ""] = args;
  switch (name) {
    case "lower":
      return (value) => [value.toLowerCase()];
    case "upper":
      return (value) => [value.toUpperCase()];
    case "ltrim":
    case "rtrim":
      return (value) => [trim(value, first, name === "ltrim")];
    case "host_only":
      return (value) => [value.replace(/:\d+$/, "")];
    case "url_dec":
      return (value) => [decode(value)];
    case "ipmask":
      return (value) => maskAddress(value, Number(first), Number(second || "128"));
    case "field":
    case "word":
      return (value) => partOf(value, Number(first), second, name === "word");
    case "bytes": {
      const end = second === "" ? undefined : Number(first) + Number(second);
      return (value) => [value.slice(Number(first), end)];
    }
    case "concat":
      return (value, { variables }) => [
        value + first + (variables.get(second) ?? "") + (args[2] ?? ""),
      ];
    case "regsub":
      return substitution(args);
    default:
      return null;
  }
}

export function trim(value: string, signs: string, isLeft: boolean): string {
  let [from, to] = [0, value.length];
  if (isLeft) while (from < to && signs.includes(value[from]!)) from++;
  else while (to > from && signs.includes(value[to - 1]!)) to--;
  return value.slice(from, to);
}

function maskAddress(value: string, bits4: number, bits6: number): readonly string[] {
  const bytes = parseAddress(value);
  if (bytes === null) return [];
  return [formatAddress(networkOf(bytes, bytes.length === 4 ? bits4 : bits6))];
}

function partOf(
  value: string,
  index: number,
  signs: string,
  skipsEmpty: boolean,
): readonly string[] {
  const parts = value.split(new RegExp(`[${signs.replaceAll(/[\]\\^-]/g, "\\$&")}]`));
  const some = skipsEmpty ? parts.filter((part) => part !== "") : parts;
  return [some.at(indexOf(index)) ?? ""];
}

function substitution([pattern = "", replacement = "", flags = ""]: Words): Converter | null {
  const regex = regexOf(pattern, { isLoose: flags.includes("i"), isGlobal: flags.includes("g") });
  if (isFailure(regex)) return null;
  const put = replacementOf(replacement);
  return (value) => [value.replace(regex, put)];
}

const IN_BRACKETS = /\[((?:[^\][]|\[[^\]]*\])*)\]/y;

/** The text of a log format, such as "%[src] %[path]". */
export function formatOf(text: string, headers: Set<string>): Sample | Failure {
  const parts: (string | Sample)[] = [];
  let end = 0;
  for (let at = text.indexOf("%["); at >= 0; at = text.indexOf("%[", end)) {
    IN_BRACKETS.lastIndex = at + 1;
    const inside = IN_BRACKETS.exec(text);
    if (inside === null) break; // it is not closed, and so remains as a "%" that is not read
    const sample = sampleOf(inside[1]!, headers);
    if (isFailure(sample)) return sample;
    parts.push(text.slice(end, at), sample);
    end = IN_BRACKETS.lastIndex;
  }
  parts.push(text.slice(end));
  const unread = parts.find((part) => typeof part === "string" && /%(?!%)/.test(part));
  if (unread !== undefined) return new Failure("this reader does not know its log format");
  return (passage) => [
    parts.map((part) => (typeof part === "string" ? part : (part(passage).at(-1) ?? ""))).join(""),
  ];
}
