# One image, a role by its command: all (the default), web, worker, migrate.
#   docker run -p 8000:8000 -v backlot-data:/data -v backlot-downloads:/downloads backlot
#   docker run -e DATABASE_URL=postgres://… -v backlot-downloads:/downloads backlot worker
# By digest, so that a rebuild uses the same base until this line changes. The version is the one package.json pins.
FROM node:24.21.0-trixie-slim@sha256:173f125896c3b47ddf056734c7ea789d04595a6a08769a8f78e0df642781fb66

# The first start fetches yt-dlp into /data, checks its signature, and keeps it up to date; an image would only age.
# Python runs yt-dlp, ffmpeg joins and converts, tini ends the processes that yt-dlp leaves; this Node is the JavaScript runtime yt-dlp needs.
RUN apt-get update \
 && apt-get install -y --no-install-recommends ca-certificates ffmpeg python3 tini \
 && rm -rf /var/lib/apt/lists/*

WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --omit=dev && npm cache clean --force
COPY . .

RUN mkdir -p /data /downloads && chown node:node /data /downloads
USER node
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8000 DATA_DIR=/data DOWNLOADS_DIR=/downloads
VOLUME ["/data", "/downloads"]
# Ask /healthz and /readyz for its health, where the role serves pages.
EXPOSE 8000
STOPSIGNAL SIGTERM
ENTRYPOINT ["tini", "--", "node", "--expose-gc", "--max-semi-space-size=4", "src/main.ts"]
CMD ["all"]
