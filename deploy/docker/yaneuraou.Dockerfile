# syntax=docker/dockerfile:1
# A bot with your own YaneuraOu. Put the program, built for the machine that will run it, beside this
# file; its evaluation files come by a volume, for they are large and change on their own:
#   docker build -t kakehashi .
#   docker build -t kakehashi-yaneuraou -f deploy/docker/yaneuraou.Dockerfile DIRECTORY-OF-THE-PROGRAM
#   docker run … --volume /srv/eval:/opt/engine/eval:ro kakehashi-yaneuraou
# engine.command in the configuration: [/opt/engine/YaneuraOu]; the engine finds eval/ beside itself.
# For an engine that computes on a GPU see gpu.Dockerfile.
ARG BASE=kakehashi
FROM ${BASE}
USER root
# OpenMP and OpenBLAS: what most builds of shogi engines are linked with beyond the C++ run time.
RUN apt-get update -q \
 && DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends \
      libgomp1 libopenblas0-pthread \
 && rm -rf /var/lib/apt/lists/* \
 && install -d /opt/engine/eval
COPY --chmod=755 YaneuraOu /opt/engine/YaneuraOu
USER 10001:10001
VOLUME /opt/engine/eval
