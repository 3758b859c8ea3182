"""A second referee for Kaluki, written from the rule book alone, follows recorded deals word by word.

It reads layouts and actions as text and shares no code with the game: its own melds, values,
turns, reshuffles and score. Deals played by bots under random options must agree with it,
and in small positions its own list of what may be done must be the game's list.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import combinations, pairwise, product
from typing import Any

import pytest

from meja.bots import make_bot
from meja.bots.bot import Budget
from meja.cards import Rng, cards_text, parse_card, parse_cards
from meja.errors import RulesError
from meja.games.kaluki import Kaluki, KalukiRules
from meja.games.kaluki_turn import sample
from meja.games.melds import hand_masks, parse_meld

PLACES = "A23456789TJQKA"
SUITS = "shdc"


class Foul(AssertionError):
    """A recorded action breaks the rules."""


def fair(condition: bool, why: str) -> None:
    if not condition:
        raise Foul(why)


def places_of(cards: Sequence[str]) -> list[int] | None:
    """The places 1..14 of a run written from low to high, or None."""
    ranks = [named(card)[0] for card in cards]
    if ranks[0] == "A" and len(ranks) > 1 and ranks[1] != "2":
        return None
    first = 1 + PLACES.index(ranks[0])
    if first + len(ranks) - 1 > 14 or list(PLACES[first - 1 : first - 1 + len(ranks)]) != ranks:
        return None
    return list(range(first, first + len(ranks)))


def named(card: str) -> str:
    """The card a joker stands for, or the card itself."""
    return card[3:] if card.startswith("Jk=") else card


def physical(card: str) -> str:
    return "Jk" if card.startswith("Jk") else card


class Meld:
    def __init__(self, owner: int, cards: list[str]) -> None:
        self.owner = owner
        self.cards = cards
        jokers = [card for card in cards if card.startswith("Jk")]
        self.is_run = len(named(jokers[0])) == 2 if jokers else len({card[0] for card in cards}) > 1

    def check(self, rules: KalukiRules, at_once: bool = False) -> None:
        cards = self.cards
        fair(len(cards) >= 3, "a meld has three cards")
        naturals = [card for card in cards if not card.startswith("Jk")]
        jokers = [card for card in cards if card.startswith("Jk")]
        fair(len(naturals) >= 1, "a meld has a natural card")
        fair(not rules.naturals_majority or len(naturals) > len(jokers), "more naturals than jokers")
        if self.is_run:
            fair(all(len(named(card)) == 2 for card in cards), "a joker in a run is an exact card")
            fair(len({named(card)[1] for card in cards}) == 1, "a run has one suit")
            fair(places_of(cards) is not None, "a run is in sequence")
            fair(len(cards) <= rules.run_max, "the run is too long")
            if at_once:
                fair(len(cards) != 13 or named(cards[0])[0] != "A", "an ace that fits at both ends lies high")
            if not rules.adjacent_jokers:
                fair(
                    not any(a.startswith("Jk") and b.startswith("Jk") for a, b in pairwise(cards)),
                    "no two jokers side by side",
                )
        else:
            fair(len({named(card)[0] for card in cards}) == 1, "a set has one rank")
            fair(all(len(named(card)) == 1 for card in jokers), "a joker in a set has a rank alone")
            fair(cards == sorted(naturals, key=lambda card: SUITS.index(card[1])) + jokers, "a set is written in order")
            if not rules.set_duplicates:
                fair(len(cards) <= 4, "a set has four cards at most")
                fair(len({card[1] for card in naturals}) == len(naturals), "a suit comes twice in the set")

    def value(self, rules: KalukiRules) -> int:
        total = sum(worth(named(card)[0], rules) for card in self.cards)
        if rules.ace == "11_high_1_low" and self.is_run and named(self.cards[0])[0] == "A":
            total -= 10
        return total

    def with_card(self, card: str) -> list[str]:
        """The cards of the meld after a card is laid off, written as a record would."""
        if not self.is_run:
            fair(len(card) == (4 if card.startswith("Jk") else 2), "a joker added to a set has a rank alone")
            fair(named(card)[0] == named(self.cards[0])[0], "a set grows by its rank")
            both = [*self.cards, card]
            naturals = sorted((c for c in both if not c.startswith("Jk")), key=lambda c: SUITS.index(c[1]))
            return naturals + [c for c in both if c.startswith("Jk")]
        fair(len(named(card)) == 2, "a joker added to a run is an exact card")
        fair(named(card)[1] == named(self.cards[0])[1], "a run grows in its suit")
        places = places_of(self.cards)
        assert places is not None
        if places[-1] < 14 and PLACES[places[-1]] == named(card)[0]:
            return [*self.cards, card]
        fair(places[0] > 1 and PLACES[places[0] - 2] == named(card)[0], "a run grows at its ends")
        return [card, *self.cards]


def worth(rank: str, rules: KalukiRules) -> int:
    if rank == "A":
        return 15 if rules.ace == 15 else 11
    return 10 if rank in "TJQK" else int(rank)


def hand_points(hand: Counter[str], rules: KalukiRules) -> int:
    return sum(
        count * (int(rules.joker_in_hand) if card == "Jk" else worth(card[0], rules)) for card, count in hand.items()
    )


class Referee:
    """A deal followed by its record."""

    def __init__(
        self,
        rules: KalukiRules,
        dealer: int,
        hands: Sequence[str],
        upcard: str,
        stock: str,
        reshuffles: Sequence[str],
    ) -> None:
        self.rules = rules
        self.hands = [Counter(hand.split()) for hand in hands]
        self.pile = [upcard]
        self.stock = stock.split()
        self.recorded = [order.split() for order in reshuffles]
        self.reshuffled = 0
        self.melds: list[Meld] = []
        self.opened = [False] * rules.seats
        self.turn = (dealer + 1) % rules.seats
        self.score: list[int] | None = None
        self.void = False
        self.start_turn()
        whole = Counter[str](self.stock)
        whole.update(self.pile)
        for hand in self.hands:
            fair(sum(hand.values()) == rules.cards, "every hand has the right size")
            whole.update(hand)
        expected = Counter({rank + suit: 2 for rank in PLACES[:13] for suit in SUITS}) + Counter({"Jk": 4})
        fair(whole == expected, "the cards are two packs and four jokers")

    def start_turn(self) -> None:
        self.drawn = False
        self.opened_now = False
        self.taken = ""
        self.taken_laid = False
        self.held_before = False
        self.owed = 0

    def copy(self) -> Referee:
        twin = Referee.__new__(Referee)
        twin.__dict__.update(self.__dict__)
        twin.hands = [Counter(hand) for hand in self.hands]
        twin.pile = self.pile[:]
        twin.stock = self.stock[:]
        twin.melds = self.melds[:]
        twin.opened = self.opened[:]
        return twin

    # -- one action ---------------------------------------------------------------

    def play(self, words: str) -> None:
        """As :meth:`step`, and the turn must still have an end (a long search in a large hand)."""
        self.step(words)
        if self.score is None and not self.void and self.drawn:
            fair(self.can_end(), "the turn can no longer be ended")

    def step(self, words: str) -> None:
        """Follow one action of a record; raises Foul where it breaks a rule.

        That a turn can be ended is shown by the record, which ends it.
        """
        fair(self.score is None and not self.void, "the deal is over")
        seat, verb, *rest = words.split()
        fair(int(seat) == self.turn, "it is another seat's turn")
        fair((verb in ("draw", "take")) != self.drawn, "draw first, and once")
        getattr(self, f"do_{verb}")(rest)
        self.went_out(verb)

    def went_out(self, verb: str) -> None:
        if self.hands[self.turn].total():
            if verb == "discard":
                self.turn = (self.turn + 1) % self.rules.seats
                self.start_turn()
            return
        fair(verb == "discard" or not self.rules.discard_to_go_out, "the last card must be discarded")
        sum_left = sum(hand_points(hand, self.rules) for hand in self.hands)
        if self.opened_now and self.rules.kaluki_bonus == "25_each":
            sum_left += 25 * (self.rules.seats - 1)
        if self.opened_now and self.rules.kaluki_bonus == "double":
            sum_left *= 2
        self.score = [0] * self.rules.seats
        self.score[self.turn] = sum_left

    def give(self, card: str) -> None:
        """A card leaves the hand for the table."""
        thing = physical(card)
        fair(self.hands[self.turn][thing] > 0, f"{thing} is not held")
        self.hands[self.turn] -= Counter({thing: 1})
        if thing == "Jk" and self.owed:
            self.owed -= 1
        elif thing == self.taken:
            self.taken_laid = True

    def do_draw(self, rest: list[str]) -> None:
        fair(not rest, "draw has no argument")
        if not self.stock:
            if self.rules.stock_out == "end" or self.reshuffled == 3 or len(self.pile) == 1:
                self.void = True
                return
            under, self.pile = self.pile[:-1], self.pile[-1:]
            if self.rules.stock_out == "shuffle":
                order = self.recorded[self.reshuffled]
                fair(Counter(order) == Counter(under), "a reshuffle holds the pile without its top")
                under = order[:]
            self.stock = under
            self.reshuffled += 1
        self.hands[self.turn].update([self.stock.pop(0)])
        self.drawn = True

    def do_take(self, rest: list[str]) -> None:
        card = self.pile.pop()
        if rest:
            fair(not self.opened[self.turn], "an opened seat writes take")
            fair(card in [physical(word) for word in rest], "the meld contains the card taken")
        else:
            fair(self.opened[self.turn], "before opening the card must open")
        self.held_before = self.hands[self.turn][card] > 0
        self.hands[self.turn].update([card])
        self.taken = card
        self.drawn = True
        if rest:
            self.lay_opening(" ".join(rest).split(" + "))

    def lay_opening(self, groups: Sequence[str]) -> None:
        fair(len(groups) == 1 or self.rules.opening == "total", "one meld opens")
        fair(sum(self.lay(group) for group in groups) >= self.rules.opening_points, "the opening is worth too little")
        self.opened[self.turn] = self.opened_now = True

    def lay(self, group: str) -> int:
        meld = Meld(self.turn, group.split())
        meld.check(self.rules, at_once=True)
        for card in meld.cards:
            self.give(card)
        self.melds.append(meld)
        return meld.value(self.rules)

    def do_meld(self, rest: list[str]) -> None:
        if self.opened[self.turn]:
            self.lay(" ".join(rest))
        else:
            self.lay_opening([" ".join(rest)])

    def do_open(self, rest: list[str]) -> None:
        fair(not self.opened[self.turn], "one opens once")
        groups = " ".join(rest).split(" + ")
        fair(len(groups) >= 2, "open has two melds or more")
        self.lay_opening(groups)

    def do_add(self, rest: list[str]) -> None:
        card, number = rest
        fair(self.opened[self.turn], "lay off after opening")
        place = int(number[1:])
        old = self.melds[place]
        new = Meld(old.owner, old.with_card(card))
        fair(new.is_run == old.is_run, "a meld stays what it is")
        new.check(self.rules)
        self.give(card)
        self.melds[place] = new

    def do_swap(self, rest: list[str]) -> None:
        card, number = rest
        place = int(number[1:])
        old = self.melds[place]
        fair(self.opened[self.turn], "swap after opening")
        fair(self.rules.joker_swap != "off", "jokers stay on the table")
        fair(self.rules.joker_swap == "any" or old.owner != self.turn, "one's own joker stays")
        wanted = f"Jk={card}" if old.is_run else f"Jk={card[0]}"
        fair(wanted in old.cards, "no joker stands for the card")
        cards = old.cards[:]
        # Where both aces of a run are jokers, the high one is meant.
        where = len(cards) - 1 - cards[::-1].index(wanted)
        cards[where] = card
        if not old.is_run:
            naturals = sorted((c for c in cards if not c.startswith("Jk")), key=lambda c: SUITS.index(c[1]))
            cards = naturals + [c for c in cards if c.startswith("Jk")]
        new = Meld(old.owner, cards)
        new.check(self.rules)
        self.give(card)
        self.melds[place] = new
        self.hands[self.turn].update(["Jk"])
        if self.rules.joker_swap_use == "immediate":
            self.owed += 1

    def do_discard(self, rest: list[str]) -> None:
        (card,) = rest
        fair(self.may_discard(card), "this card may not be discarded now")
        self.hands[self.turn] -= Counter({card: 1})
        self.pile.append(card)

    def may_discard(self, card: str) -> bool:
        if self.hands[self.turn][card] == 0 or self.owed:
            return False
        if self.taken and self.rules.discard_use == "must_use" and not self.taken_laid:
            return False
        return card != self.taken or self.taken_laid or self.held_before

    # -- what may be done ---------------------------------------------------------

    def can_end(self) -> bool:
        """Whether the turn can still be ended: a search over everything that may follow."""
        if any(self.may_discard(card) for card in self.hands[self.turn]):
            return True
        for words in self.layings():
            twin = self.copy()
            try:
                twin.step(words)
            except Foul:
                continue
            if twin.score is not None or twin.can_end():
                return True
        return False

    def layings(self) -> Iterator[str]:
        """Everything that might be laid, rightly or not; an opened seat only."""
        if not self.opened[self.turn]:
            return
        seat, hand = self.turn, self.hands[self.turn]
        for group in self.groups():
            yield f"{seat} meld {group}"
        for place, meld in enumerate(self.melds):
            suit = named(meld.cards[0])[1] if meld.is_run else ""
            ranks = PLACES[:13] if meld.is_run else named(meld.cards[0])[0]
            for card in [*(c for c in hand if c != "Jk"), *([f"Jk={r}{suit}" for r in ranks] if hand["Jk"] else [])]:
                yield f"{seat} add {card} m{place}"
            for card in hand:
                yield f"{seat} swap {card} m{place}"

    def groups(self, *extra: str) -> list[str]:
        """Every meld that the hand (and the extra cards) can make, by trying all of them."""
        hand = self.hands[self.turn] + Counter(extra)
        found = set()
        for rank in PLACES[:13]:
            cards = sorted((hand + Counter()).elements(), key=lambda c: SUITS.find(c[1]))
            naturals = [card for card in cards if card[0] == rank]
            for jokers in range(hand["Jk"] + 1):
                for size in range(1, len(naturals) + 1):
                    for chosen in combinations(naturals, size):
                        found.add(" ".join([*chosen, *[f"Jk={rank}"] * jokers]))
        for suit, low in product(SUITS, range(12)):
            for high in range(low + 3, 15):
                wanted = [rank + suit for rank in PLACES[low:high]]
                choices = [[card, f"Jk={card}"] if hand[card] else [f"Jk={card}"] for card in wanted]
                for cards_chosen in product(*choices) if sum(len(c) == 1 for c in choices) <= hand["Jk"] else []:
                    found.add(" ".join(cards_chosen))
        return [group for group in sorted(found) if self.makeable(group, hand)]

    def makeable(self, group: str, hand: Counter[str]) -> bool:
        if Counter(map(physical, group.split())) - hand:
            return False
        try:
            Meld(self.turn, group.split()).check(self.rules)
        except Foul:
            return False
        return True

    def everything(self) -> set[str]:
        """All legal actions, without the seat, by trying whatever might be one."""
        seat, hand = self.turn, self.hands[self.turn]
        tries: list[str] = []
        if not self.drawn:
            tries += [f"{seat} draw", f"{seat} take"]
            if not self.opened[seat]:
                tries += [f"{seat} take {group}" for group in self.groups(self.pile[-1])]
                tries += [f"{seat} take {both}" for both in self.pairs(self.groups(self.pile[-1]), self.pile[-1])]
        else:
            tries += [f"{seat} discard {card}" for card in hand]
            tries += self.layings()
            if not self.opened[seat]:
                tries += [f"{seat} meld {group}" for group in self.groups()]
                tries += [f"{seat} open {both}" for both in self.pairs(self.groups())]
        return {words.split(" ", 1)[1] for words in tries if self.allowed(words)}

    def pairs(self, groups: Sequence[str], *extra: str) -> Iterator[str]:
        if self.rules.opening != "total":
            return
        hand = self.hands[self.turn] + Counter(extra)
        for size in range(2, hand.total() // 3 + 1):
            for chosen in product(groups, repeat=size):
                if not Counter(physical(card) for group in chosen for card in group.split()) - hand:
                    yield " + ".join(chosen)

    def allowed(self, words: str) -> bool:
        try:
            self.copy().play(words)
        except Foul:
            return False
        return True


# -- deals to check ---------------------------------------------------------------


def random_rules(rng: Rng, **fixed: Any) -> KalukiRules:
    """Rules with every option drawn by chance."""
    while True:
        values = {name: rng.choice(known.choices) for name, known in KalukiRules.options().items()}
        try:
            return KalukiRules.make(2 + rng.below(3), **{**values, **fixed})
        except RulesError:
            continue


def random_choice(deal: Kaluki, rng: Rng) -> Any:
    return sample(deal.legal_actions(), rng)


def thumb_choice(deal: Kaluki, rng: Rng) -> Any:
    assert deal.to_act is not None
    return make_bot("rules-of-thumb", "kaluki").act(deal.view(deal.to_act), Budget())


def eager_choice(deal: Kaluki, rng: Rng) -> Any:
    """Random, but lays something whenever it can: many melds, swaps and jokers on the table."""
    for _ in range(20):
        action = sample(deal.legal_actions(), rng)
        if deal.text(action).split()[0] not in ("draw", "discard"):
            return action
    return action


def half_choice(deal: Kaluki, rng: Rng) -> Any:
    """Now like one who knows the game, now like one who does not."""
    return (thumb_choice if rng.below(3) else eager_choice)(deal, rng)


PLAYERS: dict[str, Callable[[Kaluki, Rng], Any]] = {
    "rules of thumb": thumb_choice,
    "random": random_choice,
    "eager": eager_choice,
    "half": half_choice,
}


def referee_of(deal: Kaluki) -> Referee:
    layout = deal.layout()
    assert layout.upcard is not None
    return Referee(
        deal.rules,
        deal.dealer,
        [cards_text(hand) for hand in layout.hands],
        cards_text([layout.upcard]),
        cards_text(layout.stock),
        [cards_text(order) for order in deal.reshuffles()],
    )


def played(rules: KalukiRules, rng: Rng, choose: Callable[[Kaluki, Rng], Any], most: int = 400) -> Kaluki:
    deal = Kaluki.shuffle(rules, rng.below(rules.seats), rng)
    for _ in range(most):
        if deal.over:
            break
        deal.advance(choose(deal, rng))
    return deal


def follow(deal: Kaluki) -> Referee:
    referee = referee_of(deal)
    for seat, action in deal.actions():
        referee.step(f"{seat} {deal.text(action)}")
    return referee


def tell_reshuffle(referee: Referee, deal: Kaluki) -> None:
    """Tell the referee how the pile will be shuffled if a card is drawn now: it falls with the draw."""
    if deal.phase == "draw" and not deal.zones()["stock"]:
        twin = deal.clone()
        twin.apply("draw")
        referee.recorded = [cards_text(order).split() for order in twin.reshuffles()]


def held_by(deal: Kaluki, seat: int) -> Counter[str]:
    return Counter(cards_text(deal.zones()[f"hand {seat}"]).split())


@pytest.mark.parametrize("player", PLAYERS)
@pytest.mark.parametrize("number", range(12))
@pytest.mark.rule("K3.1", "K3.13", "K5.1", "K7.2", "K7.3")
def test_a_second_referee_agrees_with_every_action_and_score(player: str, number: int) -> None:
    rng = Rng(20, number, len(player))
    rules = random_rules(rng)
    deal = played(rules, rng, PLAYERS[player])
    referee = follow(deal)
    assert referee.void == deal.void
    assert (referee.score is not None) == (deal.over and not deal.void)
    if referee.score is not None:
        assert tuple(referee.score) == deal.score()
    for seat in range(rules.seats):
        assert referee.hands[seat] == held_by(deal, seat)


@pytest.mark.parametrize("number", range(16))
@pytest.mark.rule("K4.9", "K6.1")
def test_a_second_referee_finds_the_same_legal_actions_in_small_hands(number: int) -> None:
    rng = Rng(21, number)
    rules = random_rules(rng)
    deal = Kaluki.shuffle(rules, 0, rng)
    referee = referee_of(deal)
    compared = 0
    for _ in range(300):
        if deal.over or compared >= 12:
            break
        assert deal.to_act is not None
        tell_reshuffle(referee, deal)
        held = held_by(deal, deal.to_act)
        if held.total() <= (6 if held["Jk"] < 3 else 4):
            assert sorted(referee.everything()) == sorted(map(deal.text, deal.legal_actions()))
            compared += 1
        action = half_choice(deal, rng)
        referee.step(f"{deal.to_act} {deal.text(action)}")
        deal.advance(action)


@pytest.mark.parametrize("number", range(6))
@pytest.mark.rule("K4.3", "K5.5")
def test_a_second_referee_finds_the_same_legal_actions_at_the_deal(number: int) -> None:
    rng = Rng(22, number)
    deal = Kaluki.shuffle(random_rules(rng, opening="single"), 0, rng)
    referee = referee_of(deal)
    for _ in range(4):
        assert deal.to_act is not None
        if held_by(deal, deal.to_act)["Jk"] <= 1:
            assert sorted(referee.everything()) == sorted(map(deal.text, deal.legal_actions()))
        action = random_choice(deal, rng)
        referee.step(f"{deal.to_act} {deal.text(action)}")
        deal.advance(action)
        if deal.over:
            break


@pytest.mark.parametrize("swaps_own", [True, False])
@pytest.mark.rule("K4.9", "K6.6")
def test_a_joker_may_be_laid_where_a_swap_brings_it_back_in_time(swaps_own: bool) -> None:
    """The 9d taken must be laid: the joker goes to the threes, comes back for the 3d and makes 8d 9d Jk."""
    rules = KalukiRules.make(
        2, joker_swap="any" if swaps_own else "others", joker_swap_use="free", discard_use="must_use"
    )
    deal = Kaluki.shuffle(rules, 1, Rng(1))
    deal.one[0], deal.two[0], deal.jokers[0] = hand_masks(parse_cards("8h 9d 8d 3d Jk"))
    deal.sizes[0] = 5
    deal.table, deal.owners, deal.opened = [parse_meld(["3s", "3h", "3c"])], [0], 1
    deal.playing, deal.taken = True, parse_card("9d")
    # Without a swap of one's own joker, the 9d could never be laid any more.
    assert (deal.parse("add Jk=3 m0") in deal.legal_actions()) == swaps_own
    assert deal.is_legal(deal.parse("add Jk=3 m0")) == swaps_own
