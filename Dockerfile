# The memory as a service: docs/deploy.md. A build stage compiles; the image gets the files that users install.
FROM node:22-slim AS build
WORKDIR /build
COPY . .
RUN npm ci && npm run build && mkdir /optional && cd node_modules && cp -r @redis pg pg-* pgpass postgres-* split2 xtend /optional
# Exactly the versions of the lock file, without packages for development. The clients of Redis and PostgreSQL are optional for users of the library; the image has them.
RUN npm ci --omit=dev --ignore-scripts -w packages/encoder -w packages/memory -w packages/server \
  && cp -r /optional/. node_modules/ \
  && cd node_modules/onnxruntime-node/bin/napi-v3 \
  && rm -rf darwin win32 \
  && find linux -mindepth 1 -maxdepth 1 ! -name "$(node -p process.arch)" -exec rm -rf {} +
RUN mkdir -p /image/packages/encoder /image/packages/memory /image/packages/server \
  && cp -a package.json LICENSE node_modules /image/ \
  && cd packages \
  && cp -a encoder/package.json encoder/encoder.onnx encoder/vocab.txt /image/packages/encoder/ \
  && cp -a memory/package.json memory/dist /image/packages/memory/ \
  && cp -a server/package.json server/dist server/demo /image/packages/server/

FROM node:22-slim
ENV NODE_ENV=production \
  MNEMOSYNE_PATH=/data/mnemosyne.db \
  MNEMOSYNE_KEYS=/data/keys.json \
  MNEMOSYNE_HOST=0.0.0.0 \
  MNEMOSYNE_PORT=7373
COPY --from=build /image /app
RUN ln -s /app/packages/server/dist/cli/main.js /usr/local/bin/mnemosyne && install -d -o node -g node -m 700 /data
USER node
WORKDIR /data
VOLUME /data
EXPOSE 7373
HEALTHCHECK --interval=30s --timeout=5s --start-period=30s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.MNEMOSYNE_PORT}/health`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["mnemosyne"]
CMD ["serve"]
