"""Players for the laboratory alone: one that sees all hands, and OpenSpiel's own tree search over our games.

The first is no bot: it is handed the deal itself, by a loop of its own that nothing but this file has.
"""

from __future__ import annotations

import importlib.util
import json
import math
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final

from meja.arena import Estimate, Game, Plan, Result
from meja.arena.statistics import student
from meja.bots import Bot, Budget, make_bot
from meja.bots.match_sense import margin
from meja.cards import Rng
from meja.games import new_match
from meja.search.dice import Dice
from meja.search.tricks import position
from meja.search.weights import NET, learned_policy
from meja.view import View

ALL_HANDS: Final = "RC"
OPEN_SPIEL: Final = "R3"
#: Playouts of each card in the real deal.
_PLAYOUTS: Final = 100
#: How freely everybody plays to the end: by the best card alone it was half as far ahead of R1.
_LOOSENESS: Final = 0.3
_SIMULATIONS: Final = 1_000


class AllHands:
    """Tries every card in the real deal: what nobody at a table could do. For games that have a learned policy."""

    def __init__(self, rules: Any) -> None:
        self.policy = learned_policy(rules, NET, _LOOSENESS)
        self.utility = margin(rules)

    def card(self, deal: Any, seed: int) -> int:
        """The card with the best mean of its playouts."""
        start = position(deal)
        game, dice = position(deal), Dice()
        best, most = -1, -math.inf
        for card in start.cards():
            total = 0.0
            for number in range(_PLAYOUTS):
                game.rewind(start)
                game.last = start.last
                dice.seed(seed, number)
                game.play(card)
                self.policy.playout(game, dice)
                total += self.utility.value(game, deal.to_act)
            if total > most:
                best, most = card, total
        return best


def open_results(run: Any, name: str, plan: Plan, deals: int) -> list[Result]:
    """As ``strength.results``, where the first bot of the plan is the one that sees all hands."""
    log: Path | None = None if run.logs is None else run.logs / f"{name}.jsonl"
    found: dict[int, Result] = {}
    if log is not None and log.exists():
        for line in log.read_text(encoding="utf-8").splitlines():
            result = Result.from_dict(json.loads(line))
            found[result.number] = result
    other = make_bot(plan.bots[1], plan.rules.game)
    for number in range(deals):
        if number in found:
            continue
        games = tuple(_play(plan, number, seating, other) for seating in plan.seatings)
        found[number] = Result(number, games)
        if log is not None:
            log.parent.mkdir(parents=True, exist_ok=True)
            with log.open("a", encoding="utf-8") as file:
                file.write(json.dumps(found[number].to_dict()) + "\n")
    return [found[number] for number in range(deals)]


def _play(plan: Plan, number: int, seating: Sequence[int], other: Bot) -> Game:
    """One deal as the arena deals it."""
    rng = Rng(plan.seed, number)
    match = new_match(plan.rules, dealer=rng.below(plan.rules.seats))
    budget = Budget(rng.next32())
    deal: Any = match.next_deal(rng.fork())
    sees = AllHands(plan.rules)
    while deal.to_act is not None:
        view = deal.view(deal.to_act)
        if len(view.legal) > 1 and view.phase == "play" and seating[deal.to_act] == 0:
            deal_card: Any = sees.card(deal, budget.rng(view).next32())
            match.apply(deal_card)
        else:
            match.apply(other.act(view, budget))
    void = match.deals[0].void
    scores = (0,) * plan.rules.seats if void else match.deals[0].score()
    return Game(tuple(seating), scores, void=void)


def ratio(above: Sequence[float], below: Sequence[float]) -> Estimate:
    """The ratio of two means over the same deals, with the interval of its first-order expansion."""
    count = len(above)
    top, bottom = math.fsum(above) / count, math.fsum(below) / count
    value = top / bottom
    spread = math.fsum((one - value * two) ** 2 for one, two in zip(above, below, strict=True))
    error = math.sqrt(spread / (count - 1) / count) / abs(bottom)
    return Estimate(value, student(0.975, count - 1) * error, count)


def open_spiel_is_here() -> bool:
    """Whether OpenSpiel is installed."""
    return importlib.util.find_spec("pyspiel") is not None


class OpenSpielBot(Bot):
    """OpenSpiel's ``ISMCTSBot`` in Python with 1,000 simulations of random cards, over our game of OpenSpiel.

    A state is made that agrees with the view; the search draws worlds from its information state itself. It plays the
    trick games' cards; what comes before is left to rules of thumb.
    """

    name = OPEN_SPIEL

    def act(self, view: View[Any], budget: Budget) -> Any:
        """The card that was tried most."""
        if len(view.legal) == 1:
            return view.legal[0]
        if view.phase != "play":
            return make_bot("rules-of-thumb", view.game).act(view, budget)
        import numpy as np  # noqa: PLC0415 - only where OpenSpiel is installed
        from open_spiel.python.algorithms import ismcts, mcts  # noqa: PLC0415

        rng = budget.rng(view)
        chance = np.random.RandomState(rng.next32() & 0x7FFFFFFF)
        state, game = _state_of(view, rng)
        bot = ismcts.ISMCTSBot(
            game,
            mcts.RandomRolloutEvaluator(n_rollouts=1, random_state=chance),
            uct_c=2.0,
            max_simulations=budget.iterations or _SIMULATIONS,
            random_state=chance,
        )
        text = state.action_to_string(view.seat, bot.step(state))
        return next(action for action in view.legal if view.text(action) == text)


def _state_of(view: View[Any], rng: Rng) -> tuple[Any, Any]:
    """An OpenSpiel state that its player cannot tell from the real one: the hidden cards are drawn anew."""
    import pyspiel  # noqa: PLC0415 - only where OpenSpiel is installed

    import meja.envs.openspiel  # noqa: F401, PLC0415 - the import registers the games

    game = pyspiel.load_game(f"python_meja_{view.game}", {"dealer": view.dealer})
    world: Any = view.determinize(rng)
    state = game.new_initial_state()
    for card in state.course._dealt_order(world, rng):
        if state.is_chance_node():
            state.apply_action(card)
    for _, action in world.actions():
        state.apply_action(state.string_to_action(world.text(action)))
    return state, game


def no_bot() -> Bot:
    """What stands in a plan for the player that sees all hands: as a bot it cannot be had."""
    raise TypeError


MAKERS: Final[dict[str, Callable[[], Bot]]] = {OPEN_SPIEL: OpenSpielBot}
