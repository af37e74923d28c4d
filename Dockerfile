# The server in a container: docker build -t pawl . && docker run -p 8083:8083 -v pawl:/var/lib/pawl -e PAWL_SECRET_ACCESS_KEY=… pawl
# More in docs/operators.md.
FROM debian:12-slim AS build
WORKDIR /source
COPY tools/install-deps tools/install-deps
RUN apt-get update && tools/install-deps build && rm -rf /var/lib/apt/lists/*
COPY . .
RUN cmake --preset release -DPAWL_TESTS=OFF -DPAWL_BENCHMARKS=OFF \
 && cmake --build build --target all \
 && cmake --install build --prefix /installed --strip

FROM debian:12-slim
RUN apt-get update \
 && apt-get install -y --no-install-recommends ca-certificates libfyaml0 libgrpc++1.51 libmimalloc2.0 libpcre2-8-0 libprotoc32 libsqlite3-0 libssl3 libstdc++6 tzdata \
 && rm -rf /var/lib/apt/lists/* \
 && useradd --system --uid 10001 --home-dir /var/lib/pawl --shell /usr/sbin/nologin pawl \
 && install -d -o pawl -g pawl -m 0700 /var/lib/pawl
COPY --from=build /installed/bin/pawl /usr/local/bin/pawl
COPY --from=build /installed/lib/pawl /usr/local/lib/pawl
COPY packaging/pawl.container.yaml /etc/pawl/pawl.yaml
USER pawl
VOLUME /var/lib/pawl
EXPOSE 8083
STOPSIGNAL SIGTERM
ENTRYPOINT ["pawl"]
CMD ["serve", "--config", "/etc/pawl/pawl.yaml"]
