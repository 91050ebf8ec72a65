// What the translator writes for nginx is read back, and decides as the world.
import { expect, test } from "vitest";
import { NGINX_READER } from "#src/lab/implementations/nginx/read.ts";
import { decidesAsWorld } from "../read-of-translation.ts";

test("nginx decides as the world that was translated", async () => {
  const compared = await decidesAsWorld(
    {
      name: "nginx",
      file: "nginx.conf",
      reader: NGINX_READER,
      periods: [1, 20], // a third of a minute: nginx rounds no such rate down to thousandths for each second
    },
    60,
  );
  expect(compared.worlds).toBeGreaterThan(20);
  expect(compared.refused).toBeGreaterThan(100);
});
