import { expect, test } from "vitest";
import { SEED } from "../../runs.ts";
import { compareClients } from "./differential.ts";

test("this client and undici read generated responses alike, and it alone may refuse more", async () => {
  const result = await compareClients({ seed: SEED, from: 0, responses: 2_000, lanes: 16 });
  expect(result.differences).toEqual([]);
  expect(result.equal).toBeGreaterThan(600);
  expect(result.refusedByBoth).toBeGreaterThan(200);
}, 60_000);

test("a sound response that is refused is a difference", async () => {
  const pieces = ["HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n", "a"];
  const refused = await compareClients({
    seed: 1,
    from: 0,
    responses: 1,
    lanes: 1,
    generate: () => ({
      method: "GET",
      pieces: pieces.map((piece) => piece.replace("200", "20")),
      isSound: true,
      isClosed: false,
    }),
  });
  expect(refused.differences[0]).toContain("a sound response is refused");
});
