#!/bin/sh
# Runs the set-up with a Python that it can work with:  sh tools/setup/python.sh -m tools.setup.install [--dev]
# Takes $PYTHON if that is given, else the Python that .venv was made with, else the first good one of the usual names.
set -eu
cd "$(dirname "$0")/../.."

why=""
get="on Debian 12, Ubuntu 24.04 or later: apt-get install python3 python3-venv; on macOS: brew install python"
check='
import sys
if sys.version_info < (3, 11):
    sys.exit("old " + sys.version.split()[0])
try:
    import ensurepip, venv
except ImportError:
    sys.exit("bare python%d.%d-venv" % sys.version_info[:2])
'

# try PYTHON ARGUMENTS: becomes that Python if it is good, else remembers what is wrong with the first one that runs
try() {
    if said=$("$1" -c "$check" 2>&1); then exec "$@"; fi
    if [ -n "$why" ]; then return; fi
    case $said in
        old\ *) why="$1 is Python ${said#old }" ;;
        bare\ *) why="$1 has no ensurepip" get="on Debian or Ubuntu: apt-get install ${said#bare }" ;;
    esac
}

if [ -n "${PYTHON:-}" ]; then
    try "$PYTHON" "$@"
    why=${why:-"$PYTHON does not run"}
else
    if made_with=$(.venv/bin/python -c 'import sys; print(sys._base_executable)' 2>/dev/null); then
        try "$made_with" "$@"
    fi
    for name in python3 python3.14 python3.13 python3.12 python3.11; do
        try "$name" "$@"
    done
fi
echo "Easel Studio needs Python 3.11 or newer that can make virtual environments, but" \
    "${why:-there is no python3 on PATH}: install one ($get) or name one with PYTHON=…" >&2
exit 1
