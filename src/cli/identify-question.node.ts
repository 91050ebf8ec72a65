// Reads the flags of weir identify, or returns their problem.
import { isIP } from "node:net";
import { isLoopback, readTarget, type TargetWords } from "../lab/drivers/allowed-target.ts";
import type { HiddenNumbers } from "../studies/identify/start-hidden.node.ts";
import type { HttpProbe } from "../studies/identify/http-target.node.ts";
import type { IdentifyCaps } from "../studies/identify/prober.ts";
import { durationIn } from "../kit/reading/duration.ts";
import { Failure, isFailure } from "../kit/reading/failure.ts";
import { SECOND } from "../kit/units.ts";
import { countIn, type Arguments } from "./arguments.ts";
import { readHeader, readHeaders } from "./header-option.ts";

const WORDS: TargetWords = {
  url: "identify",
  credential: "pass them with --header 'Authorization: ...'",
};

const MOST_REQUESTS = 1_000_000;
const LONGEST_US = 48 * 3_600 * SECOND;
const MOST_RATE = 10_000;
const REFUSAL = 429;
const LEAST_REFUSAL = 300;

export function capsIn(values: Arguments["values"], without: IdentifyCaps): IdentifyCaps | Failure {
  const requests = countIn(values, "requests", MOST_REQUESTS);
  if (isFailure(requests)) return requests;
  const length = values.get("max-duration");
  if (length === undefined)
    return { requests: requests ?? without.requests, durationUs: without.durationUs };
  const durationUs = durationIn(length);
  if (durationUs === undefined || durationUs < SECOND || durationUs > LONGEST_US)
    return new Failure(`--max-duration must be a duration from 1s to 48h; got "${length}"`);
  return { requests: requests ?? without.requests, durationUs };
}

export function readIdentifyTarget(
  address: string,
  { values, lists }: Arguments,
): HttpProbe | Failure {
  const url = readTarget(address, lists.get("allow-target") ?? [], WORDS);
  if (isFailure(url)) return url;
  const headers = readHeaders("header", lists.get("header") ?? []);
  if (isFailure(headers)) return headers;
  const other = values.get("other-header");
  const otherHeader = other === undefined ? null : readHeader("other-header", other);
  if (isFailure(otherHeader)) return otherHeader;
  const otherPath = values.get("other-path") ?? null;
  if (otherPath !== null && !otherPath.startsWith("/"))
    return new Failure(`--other-path must be a path, such as /other; got "${otherPath}"`);
  const status = countIn(values, "refusal", 599);
  if (isFailure(status)) return status;
  if (status !== null && status < LEAST_REFUSAL)
    return new Failure(
      `--refusal must be a status from ${LEAST_REFUSAL} to 599, because 2xx admits; got "${status}"`,
    );
  const admission = countIn(values, "admission", 599);
  if (isFailure(admission)) return admission;
  const refusal = status ?? REFUSAL;
  if (admission === refusal)
    return new Failure(`--admission and --refusal are both ${refusal}; name two statuses`);
  const local = values.get("other-address");
  if (local !== undefined && isIP(local) === 0)
    return new Failure(
      `--other-address must be an IP address of this machine, such as 127.0.0.2; got "${local}"`,
    );
  const otherAddress = local ?? (hasManyAddresses(url.hostname) ? "127.0.0.2" : null);
  return { url, headers, otherHeader, otherPath, otherAddress, refusal, admission };
}

/** IPv6 has only one loopback address. */
const hasManyAddresses = (host: string): boolean => isLoopback(host) && host !== "[::1]";

/** Returns a failure if a flag is given that only another form of `identify` reads, and that would have no effect. */
export function findUselessFlag(way: Way, { values, lists }: Arguments): Failure | null {
  const given = [...values.keys(), ...lists.keys()];
  const useless = given.find((flag) => FLAGS[flag]?.includes(way) === false);
  if (useless === undefined) return null;
  const [first] = FLAGS[useless]!;
  return new Failure(
    `--${useless} belongs to identify ${WAYS[first!]}, and has no effect here; remove it`,
  );
}

type Way = "url" | "implementation" | "self-check";

const WAYS: Readonly<Record<Way, string>> = {
  url: "URL",
  implementation: "--implementation NAME",
  "self-check": "--self-check N",
};

const FLAGS: Readonly<Record<string, readonly Way[]>> = {
  header: ["url"],
  "other-header": ["url"],
  "other-path": ["url"],
  "other-address": ["url"],
  refusal: ["url"],
  admission: ["url"],
  "allow-target": ["url"],
  out: ["url", "implementation"],
  rate: ["implementation"],
  per: ["implementation"],
  burst: ["implementation"],
  queue: ["self-check"],
};

/** The limit with which an implementation is started, and which identification has to find. */
export function readLimit(values: Arguments["values"]): HiddenNumbers | Failure {
  const rate = countIn(values, "rate", MOST_RATE);
  if (isFailure(rate)) return rate;
  const burst = countIn(values, "burst", MOST_RATE);
  if (isFailure(burst)) return burst;
  const per = values.get("per") ?? "1s";
  const perUs = durationIn(per);
  if (perUs === undefined || perUs < 1)
    return new Failure(`--per must be a duration, such as 10s; got "${per}"`);
  return { rate: rate ?? 10, perUs, burst };
}
