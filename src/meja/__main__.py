"""``python -m meja``: the same as the command ``meja``."""

from meja.cli import main

if __name__ == "__main__":
    raise SystemExit(main())
