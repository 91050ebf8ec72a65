// An API to try the gateway with: it responds with the path that it was sent.
import { createServer } from "node:http";

const server = createServer((request, response) => {
  response.setHeader("Content-Type", "application/json");
  response.end(`${JSON.stringify({ method: request.method, path: request.url })}\n`);
});
server.listen(3000, "0.0.0.0");
process.once("SIGTERM", () => server.close());
