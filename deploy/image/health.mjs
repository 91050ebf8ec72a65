// Ends with 0 if the gateway in this container should get requests. The admin listener has no TLS and is on this machine.
const port = process.env.WEIR_ADMIN_PORT || "8081";
try {
  const { ok } = await fetch(`http://127.0.0.1:${port}/ready`, {
    signal: AbortSignal.timeout(3_000),
  });
  process.exitCode = ok ? 0 : 1;
} catch (error) {
  console.error(`no response at port ${port}: ${error.cause?.code ?? error.message}`);
  process.exitCode = 1;
}
