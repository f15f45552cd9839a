# Easel Studio in one container:
#   docker build -t easel-studio . && docker run -p 7860:7860 -v easel-data:/data easel-studio
FROM python:3.12-slim-bookworm

# The system libraries that skia-python needs and does not bring, as tools/setup/libraries.py lists them, and the sandbox
# of code that models write, which is used where the host sets EASEL_SANDBOX=on and the engine allows user name spaces
RUN apt-get update \
    && apt-get install -y --no-install-recommends libegl1 libgl1 libexpat1 bubblewrap \
    && rm -rf /var/lib/apt/lists/*

# The compiled kernels are for any processor of the architecture, since an image seldom runs where it was built
ENV PYTHONUNBUFFERED=1 \
    PIP_NO_CACHE_DIR=1 \
    PIP_ROOT_USER_ACTION=ignore \
    NUMBA_CACHE_DIR=/var/cache/easel \
    NUMBA_CPU_NAME=generic \
    EASEL_HOST=0.0.0.0 \
    EASEL_PORT=7860 \
    EASEL_DATA_DIR=/data

RUN useradd --uid 1000 --create-home studio \
    && install --directory --owner=studio --group=studio "$EASEL_DATA_DIR" "$NUMBA_CACHE_DIR"

WORKDIR /app

# The packages change less often than the studio: a layer of their own
COPY pyproject.toml constraints.txt ./
RUN python -c "import tomllib; print(*tomllib.load(open('pyproject.toml', 'rb'))['project']['dependencies'], sep='\n')" \
        > requirements.txt \
    && pip install --only-binary=:all: --constraint constraints.txt --requirement requirements.txt hatchling editables \
    && rm requirements.txt

# Whole seconds: layers keep no fractions, and numba drops what it compiled when a source's time differs
COPY . .
RUN find easel_app -name '*.py' -exec touch --date=2025-01-01 {} + \
    && pip install --no-deps --no-build-isolation --editable . \
    && python -m compileall -q easel_app

USER studio
RUN python -m easel_app.cli warm

EXPOSE 7860
HEALTHCHECK --interval=30s --timeout=5s --start-period=30s CMD ["python", "-c", \
    "import os, urllib.request as web; web.urlopen('http://127.0.0.1:' + os.environ['EASEL_PORT'] + '/healthz', timeout=4)"]
CMD ["python", "-m", "easel_app.cli", "serve"]
