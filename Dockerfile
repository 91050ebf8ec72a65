# The image of the gateway, from the single executables of a release. `npm run release -- --dry-run` makes them, then:
#   docker build --tag weir .
# BuildKit sets the processor, so that one file serves `--platform linux/amd64,linux/arm64`.
ARG TARGETARCH=amd64

FROM debian:bookworm-slim AS base
ENV WEIR_UNPACKED=/usr/local/lib/weir

FROM base AS amd64
COPY --chmod=0755 release/weir-*-linux-x64 /usr/local/bin/weir

FROM base AS arm64
COPY --chmod=0755 release/weir-*-linux-arm64 /usr/local/bin/weir

# hadolint ignore=DL3006
FROM ${TARGETARCH}
COPY --chmod=0644 deploy/image/health.mjs /usr/local/lib/weir/health.mjs
# It unpacks itself here, so nothing but /data has to be writable. A file for another processor fails here too.
RUN weir version && install --directory --owner=10001 --group=10001 --mode=0700 /data
WORKDIR /data
VOLUME ["/data"]
USER 10001:10001
ENV WEIR_LISTEN_HOST=0.0.0.0
EXPOSE 8080
# The executable is a Node, too. Its first process drains at SIGTERM, for `drain` (30 s): stop with a longer time.
HEALTHCHECK --interval=10s --timeout=5s --start-period=10s CMD ["weir", "/usr/local/lib/weir/health.mjs"]
ENTRYPOINT ["weir"]
CMD ["serve"]
