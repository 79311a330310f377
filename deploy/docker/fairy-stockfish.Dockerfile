# syntax=docker/dockerfile:1
# A bot with Debian's fairy-stockfish. Build the base image first:
#   docker build -t kakehashi .
#   docker build -t kakehashi-fairy -f deploy/docker/fairy-stockfish.Dockerfile deploy/docker
# engine.command in the configuration: [/usr/games/fairy-stockfish]
ARG BASE=kakehashi
FROM ${BASE}
USER root
RUN apt-get update -q \
 && DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends fairy-stockfish \
 && rm -rf /var/lib/apt/lists/*
USER 10001:10001
