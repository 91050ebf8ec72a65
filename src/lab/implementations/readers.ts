// The readers of configurations of other limiters. One recognizes a file, or --kind names it.
import { Failure } from "../../kit/reading/failure.ts";
import { NGINX_READER } from "./nginx/read.ts";
import type { ConfigurationFile, ConfigurationReader } from "./reading.ts";

const READERS: readonly ConfigurationReader[] = [NGINX_READER];

export const KINDS: readonly string[] = READERS.map(({ kind }) => kind);

/** Finds the reader of a file. Null: no reader recognizes it. `kind`: of --kind; null: found by the text. */
export function findReader(
  file: ConfigurationFile,
  kind: string | null,
): ConfigurationReader | null | Failure {
  if (kind === null) return READERS.find((each) => each.recognizes(file)) ?? null;
  return (
    READERS.find((each) => each.kind === kind) ??
    new Failure(`--kind: there is no reader "${kind}"; there are ${KINDS.join(", ")}`)
  );
}
