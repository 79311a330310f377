# syntax=docker/dockerfile:1
# The bridge alone; bring an engine by a volume, or by an image of your own built FROM this one.
ARG BASE=debian:bookworm-slim

FROM ${BASE} AS build
WORKDIR /src
RUN apt-get update -q \
 && DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends \
      g++ cmake ninja-build libboost1.81-dev libboost-json1.81-dev libboost-url1.81-dev \
      libssl-dev libyaml-cpp-dev zlib1g-dev libspdlog-dev libfmt-dev libcli11-dev libsqlite3-dev \
 && rm -rf /var/lib/apt/lists/*
COPY . .
RUN cmake --preset release \
 && cmake --build --preset release \
 && DESTDIR=/out cmake --install build/release --prefix /usr --strip

FROM ${BASE}
RUN apt-get update -q \
 && DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends \
      ca-certificates libboost-json1.81.0 libssl3 libyaml-cpp0.7 libspdlog1.10 libfmt9 \
 && rm -rf /var/lib/apt/lists/*
COPY --from=build /out/ /
# Numeric, so that orchestrators can see that it is not root.
USER 10001:10001
WORKDIR /var/lib/kakehashi
VOLUME /var/lib/kakehashi
STOPSIGNAL SIGTERM
LABEL org.opencontainers.image.title="kakehashi" \
      org.opencontainers.image.description="Enters USI shogi engines into games on CSA servers" \
      org.opencontainers.image.licenses="MIT"
ENTRYPOINT ["/usr/bin/kakehashi"]
CMD ["run", "/etc/kakehashi/bot.yaml"]
