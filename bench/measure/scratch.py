"""The temporary directory of one run: the site, the programs, and a directory for each server."""

import contextlib
import pathlib
import shutil
import subprocess
import tempfile

BENCH = pathlib.Path(__file__).parent.parent


@contextlib.contextmanager
def scratch(atoll: pathlib.Path | None):
    """Makes site/, bin/ (the limits, and a copy of `atoll`) and run/; removes them at the end.

    Other users may read it: as root, the servers run as another user."""
    with tempfile.TemporaryDirectory(prefix="atoll-bench.") as name:
        directory = pathlib.Path(name)
        directory.chmod(0o755)
        for part in ("bin", "run"):
            (directory / part).mkdir()
        _build("limits/build.sh", directory / "bin")
        _build("site.sh", directory / "site")
        if atoll:
            shutil.copy(atoll, directory / "bin/atoll")
        yield directory


def _build(script: str, target: pathlib.Path) -> None:
    if subprocess.run([BENCH / script, target], stdin=subprocess.DEVNULL, check=False).returncode:
        raise SystemExit(f"bench: {script} failed.")
