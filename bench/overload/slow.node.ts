// An upstream that serves a fixed number of requests at the same time, each in the same time; the others wait. So its
// capacity is known without a measurement. Sends its address to its parent process.
import { createServer, type ServerResponse } from "node:http";
import { listen } from "../../src/studies/bench/controls/bare.node.ts";

const [slots, serviceMs] = process.argv.slice(2).map(Number) as [number, number];
const waiting: ServerResponse[] = [];
let busy = 0;

function work(): void {
  while (busy < slots && waiting.length > 0) {
    const to = waiting.shift()!;
    if (to.destroyed) continue;
    busy++;
    setTimeout(() => {
      busy--;
      to.end("{}");
      work();
    }, serviceMs);
  }
}

const url = await listen(
  createServer((_, to) => {
    waiting.push(to);
    work();
  }),
);
process.send!(url.href);
