# The memory as a service: docs/deploy.md. A build stage compiles and packs; the image gets what users install.
FROM node:22-slim AS build
WORKDIR /build
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY . .
# `npm pack` compiles, and takes what a registry would get.
RUN npm pack && mkdir /image && tar -xzf mnemosyne-edge-*.tgz --strip-components=1 -C /image
# Exactly what the lock file lists. The client of Redis is left to users of the library; the image has it.
RUN cp package-lock.json .npmrc /image/ \
  && cd /image \
  && npm ci --omit=dev --ignore-scripts \
  && cp -r /build/node_modules/@redis node_modules/ \
  && cd node_modules/onnxruntime-node/bin/napi-v3 \
  && rm -rf darwin win32 \
  && find linux -mindepth 1 -maxdepth 1 ! -name "$(node -p process.arch)" -exec rm -rf {} +

FROM node:22-slim
ENV NODE_ENV=production \
  MNEMOSYNE_PATH=/data/mnemosyne.db \
  MNEMOSYNE_KEYS=/data/keys.json \
  MNEMOSYNE_HOST=0.0.0.0 \
  MNEMOSYNE_PORT=7373
COPY --from=build /image /app
RUN ln -s /app/dist/cli/main.js /usr/local/bin/mnemosyne && install -d -o node -g node -m 700 /data
USER node
WORKDIR /data
VOLUME /data
EXPOSE 7373
HEALTHCHECK --interval=30s --timeout=5s --start-period=30s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.MNEMOSYNE_PORT}/health`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["mnemosyne"]
CMD ["serve"]
