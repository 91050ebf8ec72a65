// Worlds that are translated to Tyk and read again decide as they did, with each of its limiters.
import { expect, test } from "vitest";
import { TYK_READER } from "#src/lab/implementations/tyk/read.ts";
import type { ConfigurationFile } from "#src/lab/implementations/reading.ts";
import type { Configured } from "#src/lab/implementations/translation.ts";
import { decidesAsWorld } from "../read-of-translation.ts";

/** API definitions, and the keys that the setup creates, as an export has them. */
const othersOf = ({ files, setup = [] }: Configured): readonly ConfigurationFile[] => [
  ...Object.entries(files)
    .filter(([file]) => file.startsWith("apis/"))
    .map(([file, text]) => ({ file, text })),
  ...setup.map(({ path, body }, index) => ({
    file: `keys/${index}.json`,
    text: JSON.stringify({
      key_id: decodeURIComponent(path.split("/").at(-1)!),
      data: JSON.parse(body) as unknown,
    }),
  })),
];

test.each([
  ["tyk/drl", "drl"],
  ["tyk/rolling-window", "sliding_log"],
  ["tyk/sentinel", "sentinel"],
  ["tyk/fixed-window", "fixed_window"],
])("%s decides as the world that was translated", async (name, algorithm) => {
  const compared = await decidesAsWorld(
    {
      name,
      file: "tyk.conf",
      reader: TYK_READER,
      gateway: { profile: "tyk", algorithm },
      othersOf,
      valuesOf: () => ({ client: "header:authorization" }),
    },
    60,
  );
  expect(compared.worlds).toBeGreaterThan(10);
  expect(compared.refused).toBeGreaterThan(100);
});
