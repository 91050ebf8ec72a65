// The page with metrics that Prometheus reads.
import { Registry } from "prom-client";
import { hostMessage, strangeHost, type OwnHosts } from "./hosts.node.ts";
import { answerPage, readOnly, type OwnPage } from "./own-pages.node.ts";

const METRICS_TYPE = Registry.PROMETHEUS_CONTENT_TYPE;

const LOOPBACK = /^(?:127\.|::1$|::ffff:127\.)/;

/** `loopback`: only this machine may read it; other clients get 404, as for an unknown path. */
export const metricsPage = (
  text: () => Promise<string>,
  access: "loopback" | "everyone",
  hosts: OwnHosts | null = null, // null: the caller checks host names
): OwnPage => {
  // Rendering takes milliseconds, so simultaneous requests share one text.
  let running: Promise<string> | null = null;
  const textOnce = (): Promise<string> =>
    (running ??= text().finally(() => {
      running = null;
    }));
  return readOnly((from, to) => {
    const strange = hosts === null ? null : strangeHost(from, hosts);
    if (strange !== null) {
      answerPage(from, to, 421, JSON.stringify({ error: hostMessage(strange) }));
      return;
    }
    if (access === "loopback" && !LOOPBACK.test(from.socket.remoteAddress ?? "")) {
      answerPage(from, to, 404, '{"error":"Not Found"}');
      return;
    }
    textOnce().then(
      (page) => answerPage(from, to, 200, page, METRICS_TYPE),
      () => answerPage(from, to, 503, '{"error":"Metrics cannot be read now"}'),
    );
  });
};
