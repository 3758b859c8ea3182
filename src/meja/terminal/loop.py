"""Play a match at the terminal: the loop of turns, and what a person may type."""

from __future__ import annotations

import os
import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from meja import rulebook
from meja.cards import quoted
from meja.errors import ActionTextError, IllegalAction, MejaError
from meja.language import Language
from meja.messages import Message, msg
from meja.narration import sheet
from meja.narration.screen import Choice, Question, Screen
from meja.narration.words import strict_text
from meja.record import Record
from meja.rules import STANDARD, value_text
from meja.terminal import pages, saving
from meja.terminal.console import Console
from meja.terminal.table import Table, names_for
from meja.view import Event


class Quit(Exception):
    """The person leaves the table."""


class Loop:
    """One person at a table with bots, until the match is over or the person leaves.

    ``place`` is where the unfinished match is kept, ``record`` where the record goes that was asked for.
    """

    def __init__(
        self,
        console: Console,
        language: Language,
        table: Table,
        screens: Any,
        *,
        place: Path,
        record: Path | None = None,
        wait_between_deals: bool = False,
    ) -> None:
        self.console = console
        self.table = table
        self.place = place
        self.record_path = record
        self.wait_between_deals = wait_between_deals
        self._told_place = place
        self._stamp = saving.stamp(place)
        self._told_of_disk = False
        self._told_of_draw = False
        #: What the last line that was typed can mean: the next number chooses among these.
        self._asked: tuple[Choice, ...] = ()
        names = names_for(table.rules.seats, table.person)
        self.screen: Screen = screens[table.rules.game](language, console.style, table.person, names)
        self.language = self.screen.language

    # -- the match ----------------------------------------------------------------

    def run(self) -> int:
        """Play until the end; the exit code. Leaving in any way keeps the match for another day."""
        try:
            self._welcome()
            while not self.table.match.over:
                self._step()
        except (Quit, EOFError):
            return self._leave()
        except KeyboardInterrupt:
            self._leave()
            raise
        except OSError:
            # Nobody reads any more, or nothing can be written: not a word, but nothing may be lost.
            self._save()
            self._write_record()
            raise
        return self._end()

    def _step(self) -> None:
        table = self.table
        if table.deal is None:
            if table.match.deals and self.wait_between_deals:
                self._between_deals()
                # The person may have taken back a move of the last deal.
                if table.deal is not None:
                    return
            table.start_deal()
            self._show_heading()
            self._keep()
            return
        finished = len(table.match.deals)
        if table.match.to_act != table.person:
            if self._tell(table.bot_acts()):
                self.console.wait()
        else:
            forced = table.forced()
            if forced is None:
                self._turn()
            else:
                self._forced(forced)
        if len(table.match.deals) > finished:
            self._write("", *sheet.deal_lines(self.screen, table.match))
            if not table.match.over:
                self._keep()

    def _forced(self, action: Any) -> None:
        """Do the only thing the person can do, and say so."""
        table = self.table
        before = table.view()
        events = table.act(action)
        if before.phase == "play":
            # That it had to be, instead of the plain line of the same card.
            self._write(self.screen.forced(before, action))
            self._tell([event for event in events if event.kind != "play"])
            return
        if not self._told_of_draw:
            self._told_of_draw = True
            self._say(msg("The top card of the discard pile cannot be taken now, so you draw."))
        self._tell(events)

    def _welcome(self) -> None:
        rules = self.table.rules
        names = ", ".join(self.screen.name(seat) for seat in range(rules.seats))
        self._write(
            self.screen.style.title(
                self.screen.say(msg("{game}. At the table: {names}.", game=rules.title, names=names))
            ),
            self.screen.say(msg("Type ? for help, q to stop. The match is kept.")),
        )
        if self.table.match.deals or self.table.deal is not None:
            self._say(msg("The match that was kept goes on."))
        changed = self._house_rules()
        if changed:
            self._say(msg("House rules: {rules} (r shows the rules)", rules=", ".join(changed)))
        for warning in rules.warnings():
            self._say(msg("Note: {warning}", warning=warning))
        if self.table.deal is not None:
            self._show_heading()
        elif self.table.match.deals:
            self._write(*sheet.totals_lines(self.screen, self.table.match))

    def _house_rules(self) -> list[str]:
        """What differs from the standard: the preset by its title, options by name and value."""
        rules = self.table.rules
        values = rules.to_dict()
        preset = values.pop("preset")
        title = [] if preset == STANDARD else [self.language.say(rules.preset_titles[str(preset)])]
        return [*title, *(f"{name}={value_text(value)}" for name, value in values.items())]

    def _show_heading(self) -> None:
        """Which deal it is; from the second on the totals too."""
        view = self.table.view()
        self._write("", self.screen.style.title(self.screen.heading(view)))
        if self.table.match.deals:
            self._write(*sheet.totals_lines(self.screen, self.table.match))
        self._write(*self.screen.opening(view))

    def _end(self) -> int:
        # The match is forgotten only when its record is safe, and both come before the screen, which may fail.
        fault = self._write_record()
        done = fault is None and saving.is_kept(self.place)
        if done and saving.stamp(self.place) == self._stamp:
            saving.forget(self.place)
        lost = None if done else self._save()
        self._write(*sheet.end_lines(self.screen, self.table.match))
        self._tell_of_record(fault)
        if lost is not None:
            self._tell_of_loss(lost, recorded=self.record_path is not None and fault is None)
        elif not done:
            self._say(msg("The finished match is in {path}; that file is its record.", path=quoted(self.place, 200)))
        return 0 if fault is None and lost is None else 1

    # -- the person's turn --------------------------------------------------------

    def _turn(self) -> None:
        """Ask until the person has done something, which may be taking back a move."""
        self._show_table()
        while True:
            if self._answer(self._ask(msg("Your turn (? for help):"))):
                return

    def _show_table(self) -> None:
        view = self.table.view()
        mine = view.to_act == self.table.person
        lines = [*self.screen.table(view), *(self.screen.listing(view) if mine else self.screen.hand(view))]
        self._write("", *lines)

    def _answer(self, line: str) -> bool:
        """Deal with what was typed on one's turn; whether the turn has moved on."""
        text = line.strip()
        if self._command(text):
            # After an undo another position stands there.
            return text.lower() == _UNDO
        try:
            action = self._action(text)
        except Question as question:
            self._asked = question.choices
            self._write(self.screen.say(question.text), *(choice.line for choice in question.choices))
            return False
        except MejaError as error:
            self._write(self.screen.say(error.text))
            return False
        try:
            events = self.table.act(action)
        except IllegalAction as error:
            self._say(msg("Not allowed: {reason} (rule {rule})", reason=error.reason.text, rule=error.reason.rule))
            return False
        self._tell(events)
        self._keep()
        return True

    def _action(self, text: str) -> Any:
        view = self.table.view()
        asked, self._asked = self._asked, ()
        if not text:
            raise MejaError(self.screen.expected(view))
        if text.isascii() and text.isdigit():
            return self._numbered(text, asked)
        try:
            return self.screen.parse(view, strict_text(self.language, text))
        except ActionTextError:
            raise MejaError(
                msg("{text} is nothing to do here. {expected}", text=quoted(text), expected=self.screen.expected(view))
            ) from None

    def _numbered(self, text: str, asked: Sequence[Choice]) -> Any:
        """The action of a number: of those that were asked about, else of what is offered."""
        view = self.table.view()
        offered = asked or self.screen.choices(view)
        choices = {choice.number: choice.action for choice in offered}
        number = int(text) if len(text) < 9 else -1
        if number in choices:
            return choices[number]
        action = None if asked else self.screen.unlisted(view, number)
        if action is not None:
            return action
        known = self.screen.numbers(offered)
        if not known:
            raise MejaError(self.screen.expected(view))
        self._asked = tuple(asked)
        raise MejaError(msg("There is no number {number} here; expected: {known}.", number=quoted(text), known=known))

    def _tell(self, events: list[Event]) -> bool:
        """Say what happened; whether there was anything to say."""
        view = self.table.view()
        lines = [line for event in events for line in self.screen.event(event.seen_by(self.table.person), view)]
        self._write(*lines)
        return bool(lines)

    # -- commands -----------------------------------------------------------------

    def _command(self, text: str) -> bool:
        """Do a command that is allowed at any time; ``False`` if the text is none."""
        word, _, rest = text.partition(" ")
        match word.lower() if not rest or word.lower() in ("r", "?") else "":
            case "?" | "help":
                self._help()
            case "r":
                self._rules(rest.strip())
            case "l":
                self._write(*self.screen.last(self.table.view()))
            case "s":
                self._write(*sheet.score_lines(self.screen, self.table.match))
            case "t":
                self._show_heading()
                self._show_table()
            case "h":
                self._write(*self.screen.hand(self.table.view()))
            case "u":
                self._undo()
            case "q":
                raise Quit
            case _:
                return False
        return True

    def _help(self) -> None:
        example = next(number for number in rulebook.numbers(self.table.rules.game) if number[1:].startswith("3."))
        rules = self.table.rules
        lines = (
            msg("Type the number of what you want to do, or say it: a card alone is enough, for example As or 10h."),
            self.screen.writing,
            *self.screen.order(rules),
            msg("t  the table again"),
            msg("h  your hand"),
            self.screen.looking_back,
            msg("s  the scores of the match so far"),
            msg(
                "r  the rules as they stand here; r and a number for one rule (r {example}) or a section (r {section})",
                example=example,
                section=example.partition(".")[0],
            ),
            msg("u  take back your last decision"),
            msg("q  stop; the match is kept"),
        )
        for line in lines:
            self._write(self.language.say(line))
        if self.table.deal is not None:
            self._write(self.screen.say(self.screen.expected(self.table.view())))

    def _rules(self, number: str) -> None:
        try:
            text = rulebook.render(self.table.rules, self.language.code, self.language.say)
            if number:
                self._part(text, number)
            else:
                pages.show(self.console, text, self.language.say(pages.MORE))
        except MejaError as error:
            self._write(self.screen.say(error.text))

    def _part(self, text: str, number: str) -> None:
        """One rule or one section of the book; ``3.2`` is ``S3.2`` in Smear."""
        known = rulebook.numbers(self.table.rules.game)
        letter = known[0][0]
        wanted = letter + number.upper().removeprefix(letter)
        section = pages.section(text, wanted[1:])
        if section is not None:
            pages.show(self.console, section, self.language.say(pages.MORE))
        elif wanted in known:
            rule = rulebook.rule(self.table.rules, wanted, self.language.code, self.language.say)
            self._write(f"{wanted} {pages.plain(rule)}")
        else:
            self._say(
                msg(
                    "There is no rule {number} here. The rules go from {first} to {last}; r alone shows all of them.",
                    number=quoted(number),
                    first=known[0],
                    last=known[-1],
                )
            )

    def _undo(self) -> None:
        if self.table.undo():
            self._say(msg("Back to before your last decision."))
            self._keep()
        else:
            self._say(msg("There is nothing to take back."))

    def _between_deals(self) -> None:
        deals = len(self.table.match.deals)
        while self.table.deal is None and len(self.table.match.deals) == deals:
            text = self._ask(msg("Enter for the next deal (? for help):")).strip()
            if not text:
                return
            if not self._command(text):
                self._say(msg("Between two deals there is nothing to play. Press Enter for the next deal."))

    # -- leaving ------------------------------------------------------------------

    def _leave(self) -> int:
        lost = self._save()
        fault = self._write_record()
        self._write("")
        if lost is None:
            self._tell_of_place()
            command = f"{saving.command()} --resume"
            if not saving.is_kept(self.place):
                command += f" {shlex.quote(str(self.place))}"
            self._say(msg("The match is kept. Go on with: {command}", command=command))
        else:
            self._tell_of_loss(lost, recorded=self.record_path is not None and fault is None)
        self._tell_of_record(fault)
        return 0 if fault is None and lost is None else 1

    def _keep(self) -> None:
        """Keep the match as it stands; a disk that refuses is told, and play goes on."""
        fault = self._save()
        if fault is None:
            self._told_of_disk = False
            self._tell_of_place()
        else:
            self._tell_of_disk(fault)

    def _save(self) -> MejaError | None:
        """Keep the match without a word; what went wrong."""
        try:
            if saving.stamp(self.place) not in (None, self._stamp):
                # Somebody went on with the same file: both go on, each with a file of its own.
                self.place = saving.new_place(self.table.rules.game)
            saving.keep(self.place, self._record())
        except MejaError as error:
            return error
        self._stamp = saving.stamp(self.place)
        return None

    def _tell_of_place(self) -> None:
        if self.place != self._told_place:
            self._say(
                msg(
                    "This match was also gone on with elsewhere. From here on it is kept in {path}.",
                    path=quoted(self.place, 200),
                )
            )
        self._told_place = self.place

    def _tell_of_disk(self, fault: MejaError) -> None:
        # Once is enough: the disk will not have changed at the next card.
        if not self._told_of_disk:
            self._write(self.screen.say(fault.text))
        self._told_of_disk = True

    def _tell_of_loss(self, fault: MejaError, *, recorded: bool) -> None:
        self._tell_of_disk(fault)
        if self._stamp is not None and saving.stamp(self.place) == self._stamp:
            self._say(
                msg(
                    "The match could not be kept as it stands; {path} holds it as it was before.",
                    path=quoted(self.place, 200),
                )
            )
        elif recorded:
            self._say(msg("The match could not be kept."))
        else:
            self._say(msg("The match could not be kept. It is lost."))

    def _write_record(self) -> MejaError | None:
        """Write the record that was asked for without a word; what went wrong."""
        if self.record_path is not None:
            try:
                saving.write_record(self.record_path, self._record())
            except MejaError as error:
                return error
        return None

    def _tell_of_record(self, fault: MejaError | None) -> None:
        if fault is not None:
            self._write(self.screen.say(fault.text))
        elif self.record_path is not None:
            self._say(msg("Record written to {path}.", path=quoted(self.record_path, 200)))

    def _record(self) -> Record:
        extra = {}
        if self.record_path is not None:
            path = os.path.abspath(self.record_path)
            # A name that is no text cannot stand in a record; then it must be given again.
            if path.isprintable():
                extra["record"] = path
        return self.table.record(lang=self.language.code, **extra)

    # -- output -------------------------------------------------------------------

    def _ask(self, prompt: Message) -> str:
        return self.console.ask(self.screen.say(prompt))

    def _say(self, message: Message) -> None:
        self.console.write(self.screen.say(message))

    def _write(self, *lines: str) -> None:
        self.console.write(lines)


_UNDO: Final = "u"


__all__ = ["Loop", "Quit"]
