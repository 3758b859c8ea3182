"""``meja serve``: the table in the browser."""

from __future__ import annotations

import argparse
import logging
import os
import signal
import sys
import threading
import webbrowser
from pathlib import Path

from meja.bots.outside import bot_commands
from meja.errors import MejaError
from meja.language import Language
from meja.messages import msg
from meja.server.run import PORT, PortInUse, Settings, data_folder, is_table, serve
from meja.table.service import UNUSED


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the command."""
    parser.add_argument(
        "--host",
        default="127.0.0.1",
        help=msg("address to listen on (default: 127.0.0.1, this computer; 0.0.0.0: everybody in the network)"),
    )
    parser.add_argument(
        "--port", type=int, default=PORT, help=msg("port to listen on (default: 8765; 0: any free one)")
    )
    parser.add_argument("--data", metavar="DIR", help=msg("folder where matches are kept"))
    parser.add_argument("--open", action="store_true", help=msg("open the browser"))
    parser.add_argument(
        "--public-url", default="", metavar="URL", help=msg("the address people use, for invitations behind a proxy")
    )
    parser.add_argument(
        "--proxy",
        default="",
        metavar="ADDRESS",
        help=msg("address of a proxy whose forwarded headers count (several with commas)"),
    )
    parser.add_argument(
        "--bot-pace", type=float, default=1.0, metavar="X", help=msg("how long bots seem to think (0: not at all)")
    )
    parser.add_argument("--bot-jobs", type=int, metavar="N", help=msg("processes in which bots think"))
    parser.add_argument(
        "--bot-command",
        action="append",
        default=[],
        metavar="NAME=COMMAND",
        help=msg("a bot that is a program outside (see: meja bot-protocol); may be given several times"),
    )
    parser.add_argument(
        "--keep-days", type=int, default=30, metavar="N", help=msg("days that the log of a finished match is kept")
    )
    parser.add_argument(
        "--forget-after",
        type=float,
        default=UNUSED,
        metavar="N",
        help=msg("seconds that a table which nobody follows stays in memory (default: 600)"),
    )
    parser.add_argument("--no-limits", action="store_true", help=msg("no limits of requests (for load tests)"))


def run(args: argparse.Namespace, language: Language) -> int:
    """Serve until Ctrl-C."""
    settings = settings_of(args)
    logging.basicConfig(level=logging.WARNING, format="meja: %(message)s")

    def ready(address: str, *, ours: bool = True) -> None:
        print(language.say(msg("The table is open: {address}", address=address)), flush=True)
        if ours:
            print(language.say(msg("Stop with Ctrl-C. Everything is kept.")), flush=True)
        if args.open and can_show():
            # A browser that is slow to start must not hold the table up.
            show = threading.Thread(target=webbrowser.open, args=(address,), daemon=ours)
            show.start()

    # Service managers take any other code for a crash.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    try:
        serve(settings, ready)
    except PortInUse:
        # Whoever starts the table a second time wants to see it.
        if not args.open or not is_table(settings):
            raise
        ready(f"http://localhost:{settings.port}", ours=False)
    return 0


def settings_of(args: argparse.Namespace) -> Settings:
    """The settings that the options give; raises :class:`~meja.errors.MejaError` for bad ones."""
    if not 0 <= args.port <= 65535:
        raise MejaError(msg("a port is a number from 0 to 65535, not {port}", port=args.port))
    if not 0 <= args.bot_pace <= 10:
        raise MejaError(msg("--bot-pace is a number from 0 to 10"))
    if args.bot_jobs is not None and not 0 <= args.bot_jobs <= 64:
        raise MejaError(msg("--bot-jobs is a number from 0 to 64"))
    if not 0 <= args.keep_days <= 36500:
        raise MejaError(msg("--keep-days is a number from 0 to 36500"))
    if not 1 <= args.forget_after <= 1e6:
        raise MejaError(msg("--forget-after is a number from 1 to 1000000"))
    if args.public_url and not args.public_url.startswith(("http://", "https://")):
        raise MejaError(msg("--public-url begins with http:// or https://"))
    return Settings(
        host=args.host,
        port=args.port,
        data=Path(args.data) if args.data else data_folder(),
        workers=args.bot_jobs,
        pace=args.bot_pace,
        keep_days=args.keep_days,
        limits=not args.no_limits,
        forget_after=args.forget_after,
        public_url=args.public_url,
        proxies=args.proxy,
        commands=bot_commands(args.bot_command),
    )


def can_show() -> bool:
    """Whether there is a screen on which a browser can open."""
    if os.name != "posix" or os.uname().sysname == "Darwin":
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY") or os.environ.get("BROWSER"))
