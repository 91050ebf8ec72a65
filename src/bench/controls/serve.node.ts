// A control in a process of its own: it is told which, says where it listens, and serves until nobody is left
// to measure it.
import type { OfControl, ToControl } from "./messages.ts";

async function serve({ control, upstream }: ToControl): Promise<OfControl> {
  const of = (url: URL, pid = process.pid): OfControl => ({ origin: url.origin, pid });
  switch (control) {
    case "upstream":
      return of(await (await import("./bare.node.ts")).bareServer());
    case "bare-proxy":
      return of(await (await import("./bare.node.ts")).bareProxy(upstream!));
    case "fastify":
      return of(await (await import("./fastify.node.ts")).fastifyStack(upstream!));
    case "express":
      return of(await (await import("./express.node.ts")).expressStack(upstream!));
    case "nginx": {
      const { nginx } = await import("./nginx.node.ts");
      const started = await nginx(upstream!);
      return started === null
        ? { missing: "nginx is not on the PATH" }
        : of(started.url, started.pid);
    }
  }
}

/** Peers are development dependencies: an installation of Weir does without them. */
function missing(error: unknown): OfControl {
  const name = /Cannot find package '([^']+)'/.exec(
    error instanceof Error ? error.message : "",
  )?.[1];
  if (name === undefined) throw error;
  return { missing: `the package ${name} is not installed: npm i ${name}` };
}

// Until it has been told, the channel is all that it lives for.
process.channel?.ref();
process.once("message", (order) => {
  void serve(order as ToControl)
    .catch(missing)
    .then((answer) => process.send!(answer));
});
