// Opens connections, sends one request on each, and then nothing; says how many there are.
import { connect } from "node:net";

const [port, many] = process.argv.slice(2).map(Number);
const AT_ONCE = 200;
const request = "GET /open HTTP/1.1\r\nHost: g\r\n\r\n";
const sockets = [];

const open = () =>
  new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1", () => socket.write(request));
    socket.once("data", () => resolve());
    socket.on("error", () => resolve());
    sockets.push(socket);
  });

while (sockets.length < many) await Promise.all(Array.from({ length: AT_ONCE }, open));
process.send(sockets.filter(({ destroyed }) => !destroyed).length);
