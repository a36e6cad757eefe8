# docs/operations.md, 9: how it is built with pinned digests, and run.
ARG NODE_IMAGE=node:24.21.0-bookworm-slim

FROM ${NODE_IMAGE} AS build
WORKDIR /app
ENV CHECKPOINT_DISABLE=1
COPY package.json package-lock.json ./
RUN npm ci --no-audit --no-fund
COPY . .
RUN npm run build
# The database's clients are made into node_modules, where npm does not know them.
RUN npm prune --omit=dev --no-audit --no-fund && node scripts/generate.ts

FROM ${NODE_IMAGE} AS run
WORKDIR /app
ENV NODE_ENV=production PORT=3000 CHECKPOINT_DISABLE=1
COPY --from=build /app/package.json /app/prisma.config.ts ./
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/prisma ./prisma
COPY --from=build /app/scripts ./scripts
COPY --from=build /app/app ./app
COPY --from=build /app/build ./build
# The only places where it writes: SQLite's file, and the log of erasures. Each is a volume of its own.
RUN mkdir -p /data /erasures && chown node:node /data /erasures
VOLUME ["/data", "/erasures"]
USER node
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=3s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/health`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# `--init` reaps what is left behind; the shell gives its place to the server, which hears SIGTERM itself.
CMD ["sh", "-c", "node scripts/migrate.ts && exec node --max-semi-space-size=2 --heap-growing-percent=10 --v8-pool-size=1 build/process/server.js"]
