import { readFileSync } from "node:fs";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { selfSigned, type SelfSigned } from "../redis/self-signed.ts";
import { redisIsThere } from "../redis/there.ts";
import { sendRequest, CONFIG, FILES, serving } from "./serving.ts";
import { folderWith } from "./weir.ts";

async function startUpstream({ certificate, key }: SelfSigned): Promise<string> {
  const files = { cert: readFileSync(certificate), key: readFileSync(key) };
  const server = createServer(files, (from, to) => to.end(`over TLS: ${from.url}`));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return `https://127.0.0.1:${(server.address() as AddressInfo).port}/base`;
}

describe.skipIf(!redisIsThere)("an upstream that speaks TLS", () => {
  test("is reached where its certificate is trusted, and nowhere else", async () => {
    const signed = await selfSigned();
    onTestFinished(signed.remove);
    const args = [...CONFIG, "--upstream", await startUpstream(signed)];
    const trusting = { NODE_EXTRA_CA_CERTS: signed.certificate };
    const headers = { authorization: "alice" };
    const { gateway } = await serving(folderWith(FILES), args, trusting);
    expect(await sendRequest(`${gateway}/orders/7`, headers)).toMatchObject({
      status: 200,
      text: "over TLS: /base/orders/7",
    });
    const doubting = await serving(folderWith(FILES), args);
    expect(await sendRequest(`${doubting.gateway}/orders/7`, headers)).toMatchObject({
      status: 502,
    });
  });
});
