# syntax=docker/dockerfile:1
# The bridge alone, about 12 MB over its base; bring an engine by a volume, or by an image of your
# own built FROM this one (deploy/docker/). docs/containers.md tells how to run it.
ARG BASE=debian:bookworm-20260824-slim

FROM ${BASE} AS build
SHELL ["/bin/bash", "-o", "pipefail", "-c"]
RUN apt-get update -q \
 && DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends \
      g++ make cmake ninja-build gettext ca-certificates libboost1.81-dev libboost-json1.81-dev \
      libboost-url1.81-dev libssl-dev libyaml-cpp-dev zlib1g-dev \
      libcli11-dev libsqlite3-dev libfmt-dev \
 && rm -rf /var/lib/apt/lists/*
WORKDIR /src
COPY . .
# All libraries are linked into the program: the image below needs no package, and nothing but this
# build decides what runs.
RUN cmake --preset static \
 && cmake --build --preset static --target kakehashi kakehashi-keep \
 && install -D -s build/static/kakehashi /out/usr/bin/kakehashi \
 && install -D -s build/static/kakehashi-keep /out/usr/bin/kakehashi-keep \
 && install -D -m 644 /etc/ssl/certs/ca-certificates.crt /out/etc/ssl/certs/ca-certificates.crt \
 && install -D -m 644 LICENSE /out/usr/share/doc/kakehashi/LICENSE \
 && install -d /state

FROM ${BASE}
ARG BASE
ARG VERSION=1.0.0
ARG REVISION=unknown
LABEL org.opencontainers.image.title="kakehashi" \
      org.opencontainers.image.description="Enters USI shogi engines into games on CSA servers" \
      org.opencontainers.image.licenses="MIT" \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.revision="${REVISION}" \
      org.opencontainers.image.base.name="${BASE}"
COPY --from=build /out/ /
COPY --from=build --chown=10001:10001 /state/ /var/lib/kakehashi/
# Numeric, so that orchestrators can see that it is not root.
USER 10001:10001
WORKDIR /var/lib/kakehashi
VOLUME /var/lib/kakehashi
# The first SIGTERM finishes the running game: grant it the time (docker stop --time 5400).
STOPSIGNAL SIGTERM
EXPOSE 9980
HEALTHCHECK --interval=30s --timeout=10s --start-period=3m --retries=3 \
  CMD ["/usr/bin/kakehashi", "health"]
# As the first process the program passes signals on and reaps orphans by itself: no init is needed.
ENTRYPOINT ["/usr/bin/kakehashi"]
CMD ["run", "/etc/kakehashi/bot.yaml", "--status", "9980"]
