// A server of one's own whose documentation promises a limit that it does not have.
import { join } from "node:path";
import { expect, test } from "vitest";
import { readBehaviours } from "#src/studies/implementations/behaviours.node.ts";
import { createPlayer, playJudged } from "#src/studies/implementations/play.node.ts";
import { findImplementation } from "#src/lab/implementations/catalogue.node.ts";
import { requireValue } from "#src/kit/reading/failure.ts";
import { folderWith } from "../../cli/weir.ts";

const SERVER = `import { createServer } from "node:http";
createServer((request, response) => {
  response.writeHead(request.url === "/weir-ready" ? 204 : 200).end();
}).listen(Number(process.argv[2]), "127.0.0.1");
`;

const TRANSLATE = `export const translate = ({ limits }) => ({
  files: {},
  enforces: limits.map(({ id }) => id),
});
`;

const MANIFEST = `name: Admits everything
about: Has a limit, by its documentation.
version: 1.0.0
kind: http
install: { registry: none }
start: ["{node}", "{folder}/server.mjs", "{port}"]
ready: { within: 30s }
clock: real
model: { algorithm: fixed_window }
capabilities: { scopes: [key] }
claims:
  five-of-ten: { holds: true, sentence: Never more than the limit., source: README.md }
  most-in-any-window: { holds: true, sentence: Never more than the limit., source: README.md }
`;

test.each([
  ["five-of-ten", "five for alice: expected 5, observed 10 of 10"],
  ["most-in-any-window", ", at most 9 are allowed"],
])("one that admits everything contradicts the claim %s", async (id, evidence) => {
  const folder = folderWith({
    "my-http/manifest.yaml": MANIFEST,
    "my-http/server.mjs": SERVER,
    "my-http/translate.js": TRANSLATE,
    "my-http/package.json": '{ "type": "module" }',
  });
  const implementation = requireValue(await findImplementation(join(folder, "my-http")));
  const behaviour = requireValue(readBehaviours([id]))[0]!;
  const player = createPlayer(implementation);
  try {
    const { verdict, evidence: found } = await playJudged(player, behaviour, 1);
    expect([verdict, found.join("; ")]).toEqual(["contradicts", expect.stringContaining(evidence)]);
  } finally {
    await player.driver.close();
  }
});
