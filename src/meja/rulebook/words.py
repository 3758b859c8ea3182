"""The words of the games in both languages: the glossary at the end of each rule book, one word per thing."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

#: (English, Indonesian) that every game uses.
_COMMON: Final = (
    ("match", "babak"),
    ("deal", "ronde"),
    ("dealer", "dealer"),
    ("pack", "dek"),
    ("suit", "jenis"),
    ("spades, hearts, diamonds, clubs", "sekop, hati, wajik, keriting"),
    ("ace, king, queen, jack", "As, King, Queen, Jack"),
    ("rank", "peringkat"),
    ("hand", "kartu di tangan"),
    ("turn", "giliran"),
    ("void deal", "ronde yang batal"),
    ("house rule, option", "aturan rumah, opsi"),
)
_TRICKS: Final = (
    ("trick", "trick"),
    ("to lead", "memimpin"),
    ("to follow suit", "mengikuti jenis"),
    ("trump", "truf"),
    ("card points", "poin kartu"),
)
_GAMES: Final[Mapping[str, tuple[tuple[str, str], ...]]] = {
    "bassadewitz": (
        *_TRICKS,
        ("forehand", "pemain depan"),
        ("sweep", "semua trick"),
        ("hundred", "seratus"),
        ("penalty point", "poin penalti"),
        ("place", "urutan"),
        ("pool, chip", "pot, chip"),
    ),
    "calabresella": (
        *_TRICKS,
        ("forehand", "pemain depan"),
        ("auction, bid, to bid", "penawaran, tawaran, menawar"),
        ("to pass", "pas"),
        ("bidder", "penawar"),
        ("to call a card", "memanggil kartu"),
        ("card given back", "kartu balasan"),
        ("monte", "monte"),
        ("to lay away, to discard", "meletakkan ke monte, membuang"),
        ("stake, chips", "taruhan, chip"),
        ("cappotto: all tricks or none", "cappotto: semua trick atau tidak satu pun"),
        ("stramazzo: all points", "stramazzo: semua poin"),
    ),
    "kaluki": (
        ("meld", "kombinasi"),
        ("set", "set"),
        ("run", "run"),
        ("joker, natural card", "Joker, kartu asli"),
        ("to stand for", "mewakili"),
        ("stock", "tumpukan ambil"),
        ("discard pile", "tumpukan buangan"),
        ("to draw, to take", "mengambil, memungut"),
        ("to discard", "membuang"),
        ("opening, to open", "pembukaan, membuka"),
        ("to lay off, to add", "menambah"),
        ("to swap a joker", "menukar Joker"),
        ("to go out", "habis"),
    ),
    "smear": (
        *_TRICKS,
        ("auction, bid, to bid", "penawaran, tawaran, menawar"),
        ("to pass", "pas"),
        ("bidder", "penawar"),
        ("to make the bid", "memenuhi tawaran"),
        ("to be set back", "gagal, dikurangi sebesar tawaran"),
        ("High, Low, Jack, Game", "High, Low, Jack, Game"),
        ("plain suit", "jenis biasa"),
        ("smudge: all four points", "smudge: keempat poin"),
    ),
}


def glossary(game: str, language: str) -> str:
    """The words of a game as a Markdown table, the words of ``language`` first."""
    rows = [*_GAMES[game], *_COMMON]
    if language == "id":
        head, rows = "| Indonesia | Inggris |", [(there, here) for here, there in rows]
    else:
        head = "| English | Indonesian |"
    return "\n".join([head, "|---|---|", *(f"| {left} | {right} |" for left, right in rows)])
