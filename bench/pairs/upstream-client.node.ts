// Loaded before a gateway, as upstream-client.node.ts?client=weir, this makes that client send to upstreams.
process.env["WEIR_UPSTREAM_CLIENT"] =
  new URL(import.meta.url).searchParams.get("client") ?? "undici";
