# The command and the server, without anything else of the project:
#   docker build --tag npu-lsp --file Dockerfile FOLDER_WITH_THE_WHEEL
#   docker run --rm --network=none --volume "$PWD:/work:ro" npu-lsp check .
FROM python:3.13-slim AS build
COPY *.whl /tmp/
# Compiled here, since the user below can't write.
RUN python -I -m venv /opt/npu-lsp \
 && /opt/npu-lsp/bin/python -I -m pip install --no-cache-dir --compile /tmp/*.whl \
 && /opt/npu-lsp/bin/python -I -m pip uninstall --yes pip

FROM python:3.13-slim
COPY --from=build /opt/npu-lsp /opt/npu-lsp
RUN useradd --uid 10001 --no-create-home --shell /usr/sbin/nologin npu-lsp
USER 10001
WORKDIR /work
# -I: what is mounted there may hold modules of any name.
ENTRYPOINT ["/opt/npu-lsp/bin/python", "-I", "-m", "npu_lsp"]
CMD ["--help"]
