"""What every output is made of: escaped text, pictures of cards, tables, and the style around them.

The style is plain where a notebook leaves it out because it does not trust the output. Colours come from the page
around, but on the felt, which has its own: so both are readable by day and by night.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from html import escape
from typing import Final

from meja.cardart.svg import HEIGHT
from meja.cards import UNKNOWN, Card
from meja.notebook import pictures

_STYLE: Final = """
.meja{font:14px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans","Liberation Sans",sans-serif;max-width:64em;
margin:.3em 0;text-align:left}
.meja-box{border:1px solid rgba(128,128,128,.45);border-radius:10px;overflow:hidden}
.meja-part{padding:8px 14px}
.meja-part+.meja-part{border-top:1px solid rgba(128,128,128,.3)}
.meja p.meja-p{margin:0 0 2px;line-height:1.5;font-size:14px}
.meja .meja-quiet{opacity:.78;font-size:13px}
.meja-felt{background:#1d6446;color:#f4f6ef;padding:12px 14px}
.meja-row{display:flex;flex-wrap:wrap;gap:10px 18px;align-items:flex-end;margin:0 0 12px}
.meja-row:last-child{margin-bottom:0}
.meja-seat{padding:5px 9px 7px;border-radius:8px;background:rgba(0,0,0,.17);border:2px solid transparent;
max-width:100%;box-sizing:border-box}
.meja-turn{border-color:#d9ab4e}
.meja-name{display:block;font-size:13px;line-height:1.35;margin:0 0 4px}
.meja-lay{display:inline-block;max-width:100%;text-align:center}
.meja-lay .meja-name{margin:3px 0 0}
.meja img.meja-cards{display:inline-block;vertical-align:bottom;margin:0;max-width:100%;
height:auto;background:none;border:0}
.meja table.meja-table{border-collapse:collapse;margin:2px 0;font-size:13px;color:inherit;border:0;width:auto;
display:table}
.meja table.meja-table th,.meja table.meja-table td{padding:3px 12px 3px 0;border:0;
border-bottom:1px solid rgba(128,128,128,.3);text-align:left;vertical-align:top;background:none;color:inherit;
white-space:normal;max-width:44em;font-size:13px;min-width:0}
.meja table.meja-table th{font-weight:600}
.meja table.meja-table tr{background:none}
.meja table.meja-table tr:last-child td{border-bottom:0}
.meja table.meja-table .meja-number{text-align:right;font-variant-numeric:tabular-nums}
.meja table.meja-table .meja-sum td{font-weight:600}
.meja details summary{cursor:pointer;font-size:13px;padding:2px 0}
.meja code.meja-word{font-size:12px;padding:1px 5px;border-radius:4px;background:rgba(128,128,128,.18);color:inherit;
border:0;white-space:nowrap;display:inline-block;margin:0 3px 3px 0}
""".replace("\n", "")

_RIGHT: Final = ' class="meja-number"'


def page(*parts: str, bare: bool = False) -> str:
    """A whole output; ``bare`` has no frame."""
    return f'<div class="meja{"" if bare else " meja-box"}"><style>{_STYLE}</style>{"".join(parts)}</div>'


def part(*inside: str) -> str:
    """One part of the frame, on the ground of the page."""
    return f'<div class="meja-part">{"".join(inside)}</div>'


def felt(*rows: str) -> str:
    """The part where the cards lie."""
    return f'<div class="meja-felt">{"".join(rows)}</div>'


def row(items: Iterable[str]) -> str:
    """Things side by side; nothing where there are none."""
    inside = "".join(items)
    return f'<div class="meja-row">{inside}</div>' if inside else ""


def line(text: str, *, quiet: bool = False) -> str:
    """A line of text."""
    return f'<p class="meja-p{" meja-quiet" if quiet else ""}">{escape(text)}</p>'


def title(name: str, rest: str) -> str:
    """The first line: a name, and what goes with it."""
    return f'<p class="meja-p"><strong>{escape(name)}</strong> {escape(rest)}</p>'


def picture(cards: Sequence[Card], height: int, step: int | None = None, raised: Collection[int] = ()) -> str:
    """Cards as an image ``height`` pixels high, with their names for those who do not see it; nothing for no cards."""
    if not cards:
        return ""
    if step is None:
        step = pictures.BACKS if all(card == UNKNOWN for card in cards) else pictures.HAND
    svg = pictures.row(cards, step, raised)
    wide, high = (int(number) for number in svg.split('"')[3].split()[2:])
    pixels = round(height * high / HEIGHT)
    return (
        f'<img class="meja-cards" alt="{escape(pictures.words(cards))}" width="{round(pixels * wide / high)}" '
        f'height="{pixels}" src="{pictures.address(svg)}">'
    )


def seat(name: str, cards: str, *, turn: bool = False) -> str:
    """A seat: its name above its cards."""
    kind = "meja-seat meja-turn" if turn else "meja-seat"
    return f'<div class="{kind}"><span class="meja-name">{escape(name)}</span>{cards}</div>'


def laid(cards: str, name: str) -> str:
    """Cards on the table, with words below."""
    return f'<div class="meja-lay">{cards}<span class="meja-name">{escape(name)}</span></div>'


def table(
    head: Sequence[str], rows: Iterable[Sequence[object]], total: Sequence[object] = (), *, code: Collection[int] = ()
) -> str:
    """A table; numbers stand on the right. ``total`` is the last row, the columns ``code`` are words of the program."""

    def cell(column: int, value: object) -> str:
        if isinstance(value, int) and not isinstance(value, bool):
            return f"<td{_RIGHT}>{value}</td>"
        text = escape(str(value))
        return f'<td><code class="meja-word">{text}</code></td>' if column in code and text else f"<td>{text}</td>"

    def line_of(values: Sequence[object], kind: str = "") -> str:
        return f"<tr{kind}>" + "".join(cell(column, value) for column, value in enumerate(values)) + "</tr>"

    rows = list(rows)
    numbers = {column for values in (*rows, total) for column, value in enumerate(values) if isinstance(value, int)}
    body = "".join(line_of(values) for values in rows)
    end = line_of(total, ' class="meja-sum"') if total else ""
    heads = "".join(
        f'<th scope="col"{_RIGHT if column in numbers else ""}>{escape(name)}</th>' for column, name in enumerate(head)
    )
    return f'<table class="meja-table"><thead><tr>{heads}</tr></thead><tbody>{body}{end}</tbody></table>'


def folded(summary: str, inside: str) -> str:
    """What is shown on demand."""
    return f"<details><summary>{escape(summary)}</summary>{inside}</details>"


def word_list(words: Iterable[str]) -> str:
    """Words of records, one after the other."""
    return "".join(f'<code class="meja-word">{escape(word)}</code> ' for word in words)
