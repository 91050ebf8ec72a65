// Files of limiters whose numbers can change.
import { isFailure, requireValue, type Failure } from "#src/kit/reading/failure.ts";
import type { ConfigurationFile } from "#src/lab/implementations/reading.ts";
import { findReader } from "#src/lab/implementations/readers.ts";
import type { EditableConfiguration } from "#src/studies/diff/number-in-file.ts";
import type { RulesCandidate } from "#src/studies/replay/rules.ts";

export function editableOf(file: string, text: string): EditableConfiguration {
  const main = { file, text };
  const reader = findReader(main, null);
  if (reader === null || isFailure(reader)) throw new Error(`no reader recognizes ${file}`);
  const readAgain = ([only]: readonly ConfigurationFile[]): RulesCandidate | Failure => {
    const configuration = reader.read(only!, () => [], new Map());
    return isFailure(configuration) ? configuration : { kind: "rules", file, configuration };
  };
  return { files: [main], candidate: requireValue(readAgain([main])), readAgain };
}

export const nginx = (rate: number, unit: string, burst: number): string => `# 3 limits
limit_req_zone $remote_addr zone=all3:10m rate=${rate}r/${unit};
server {
  listen 80;
  limit_req zone=all3 burst=${burst};
}
`;
