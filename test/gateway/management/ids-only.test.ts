// A key is in logs, metrics and events by its id, and its secret is nowhere (MGT-C10).
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { accessLog } from "#src/gateway/http/access-log.node.ts";
import { metrics } from "#src/gateway/http/metrics.node.ts";
import { serveRecords } from "./served.ts";

test("a key that was looked up is known by its id alone", async () => {
  const folder = mkdtempSync(join(tmpdir(), "weir-ids-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "weir.log");
  const log = accessLog({
    to: { file },
    level: "info",
    isCredential: () => false,
    onFailure: (error) => expect.unreachable(error.message),
  });
  const measured = metrics();
  const { admin, send, events, server } = await serveRecords({
    furtherObservers: [log.observer, measured.observer],
  });
  measured.watch(server.gateway);
  const made = await admin("POST /admin/org/keys", {
    key_id: "ann",
    rate: 1,
    per: 60,
    access_rights: { a: {} },
    meta_data: { password: "of-ann" },
  });
  const secret = (made.body as { key: string }).key;
  expect([(await send(secret)).status, (await send(secret)).status]).toEqual([200, 429]);
  expect((await send("of-nobody")).status).toBe(403);
  await log.close();
  const text = readFileSync(file, "utf8");
  const lines = text.trimEnd().split("\n");
  const keys = lines.map((line) => (JSON.parse(line) as { key: string | null }).key);
  expect(keys.filter((key) => key === "ann").length).toBeGreaterThanOrEqual(3);
  const outputs = [text, JSON.stringify(events), await measured.text()];
  const shown = JSON.stringify(made.body);
  expect(shown).toContain(`"${secret}"`); // once, when it is made
  for (const each of outputs)
    for (const never of [`"${secret}"`, `|${secret}`, `:${secret}"`, "of-nobody", "of-ann"])
      expect(each).not.toContain(never);
});
