// Texts of Tyk's files, and how requests fare under them.
import { TYK_READER } from "#src/lab/implementations/tyk/read.ts";
import type { ReadConfiguration } from "#src/lab/implementations/reading.ts";
import { isFailure } from "#src/kit/reading/failure.ts";
import { mustRead, play, readText, type ReadInput, type Sent } from "../read-and-play.ts";

type Fields = object;

/** A classic API at /ID/, with entries of endpoints. */
export const classic = (
  id: string,
  more: Fields = {},
  entries: readonly Fields[] = [],
): Fields => ({
  api_id: id,
  name: id,
  proxy: { listen_path: `/${id}/`, target_url: "http://app", strip_listen_path: true },
  version_data: {
    not_versioned: true,
    versions: {
      Default: { use_extended_paths: true, extended_paths: { rate_limit: entries } },
    },
  },
  ...more,
});

export const keyless = (id: string, more: Fields = {}, entries: readonly Fields[] = []): Fields =>
  classic(id, { use_keyless: true, ...more }, entries);

/** An OAS API at /ID/, with the limits of its operations by path. */
export function oas(
  id: string,
  more: Fields = {},
  limits: Readonly<Record<string, object>> = {},
): Fields {
  const paths = Object.keys(limits);
  return {
    openapi: "3.0.3",
    info: { title: id, version: "1" },
    paths: Object.fromEntries(paths.map((path) => [path, { get: { operationId: `get${path}` } }])),
    "x-tyk-api-gateway": {
      info: { id, name: id, state: { active: true } },
      server: { listenPath: { value: `/${id}/`, strip: true } },
      upstream: { url: "http://app" },
      middleware: {
        operations: Object.fromEntries(
          paths.map((path) => [`get${path}`, { rateLimit: limits[path] }]),
        ),
      },
      ...more,
    },
  };
}

export const policy = (id: string, apis: Fields, more: Fields): Fields => ({
  id,
  state: "active",
  access_rights: apis,
  ...more,
});

/** The files of a folder, each with its documents; the first is the main one. */
export function readFiles(files: readonly unknown[], input: ReadInput = {}): ReadConfiguration {
  const [main, ...others] = textsOf(files);
  return mustRead(TYK_READER, main!.text, { ...input, others });
}

export const decide = (
  files: readonly unknown[],
  requests: readonly Sent[],
  values: Readonly<Record<string, string>> = {},
): string => play(readFiles(files, { values }), requests);

const textsOf = (files: readonly unknown[]): { readonly file: string; readonly text: string }[] =>
  files.map((each, index) => ({
    file: index === 0 ? "in.txt" : `${index}.json`,
    text: JSON.stringify(each, null, 1),
  }));

export function problemsOf(files: readonly unknown[], input: ReadInput = {}): readonly string[] {
  const [main, ...others] = textsOf(files);
  const read = readText(TYK_READER, main!.text, { ...input, others });
  return isFailure(read) ? read.problems : [];
}
