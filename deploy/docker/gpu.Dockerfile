# syntax=docker/dockerfile:1
# A bot with an engine that computes on an NVIDIA GPU (dlshogi and its kin): the bridge from its own image,
# on NVIDIA's run time. Put the engine's program beside this file; its network comes by a volume:
#   docker build -t kakehashi .
#   docker build -t kakehashi-gpu:local -f deploy/docker/gpu.Dockerfile DIRECTORY-OF-THE-PROGRAM
#   docker run --gpus all … --volume /srv/network:/opt/engine/network:ro kakehashi-gpu:local
# The base needs the CUDA and TensorRT that the engine was built for; the bridge itself needs nothing of it.
ARG BRIDGE=kakehashi
ARG BASE=nvidia/cuda:12.6.3-runtime-ubuntu24.04
FROM ${BRIDGE} AS bridge

FROM ${BASE}
ARG BASE
ARG VERSION=1.0.0
ARG REVISION=unknown
LABEL org.opencontainers.image.title="kakehashi-gpu" \
      org.opencontainers.image.description="Enters a USI shogi engine on a GPU into games on CSA servers" \
      org.opencontainers.image.licenses="MIT" \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.revision="${REVISION}" \
      org.opencontainers.image.base.name="${BASE}"
COPY --from=bridge /usr/bin/kakehashi /usr/bin/kakehashi
COPY --from=bridge /etc/ssl/certs/ca-certificates.crt /etc/ssl/certs/ca-certificates.crt
COPY --from=bridge --chown=10001:10001 /var/lib/kakehashi/ /var/lib/kakehashi/
COPY --chmod=755 engine /opt/engine/engine
USER 10001:10001
WORKDIR /var/lib/kakehashi
VOLUME ["/var/lib/kakehashi", "/opt/engine/network"]
STOPSIGNAL SIGTERM
EXPOSE 9980
HEALTHCHECK --interval=30s --timeout=10s --start-period=3m --retries=3 \
  CMD ["/usr/bin/kakehashi", "health"]
ENTRYPOINT ["/usr/bin/kakehashi"]
CMD ["run", "/etc/kakehashi/bot.yaml", "--status", "9980"]
