"""A bot for Meja in plain Python, without Meja: it is asked over standard input and output, line by line.

    meja arena smear mine random --bot-command "mine=python3 examples/outside_bot.py"

It bids by its high cards, lays what it can lay, and plays the card of the highest rank that may be played.
"""

import json
import random
import sys

RANKS = "23456789TJQKA"


def choose(view, budget):
    """One of the legal actions, as text."""
    legal = view["legal"]
    plays = [action for action in legal if action.startswith("play ")]
    if plays:
        return max(plays, key=lambda action: RANKS.index(action[5]))
    lays = [action for action in legal if action.split()[0] in ("meld", "add")]
    if lays:
        return lays[0]
    if "pass" in legal and sum(card[0] in "AKQJ" for card in view["hand"].split()) < 3:
        return "pass"
    # The seed and the moves so far make chance the same for the same position.
    return random.Random(f"{budget['seed']} {view['log']}").choice(legal)


def answer(message):
    """The answer to one message."""
    if message["type"] == "hello":
        games = ["bassadewitz", "calabresella", "kaluki", "smear"]
        return {"type": "hello", "protocol": "meja-bot/1", "name": "outside bot", "games": games}
    return {"type": "action", "id": message["id"], "action": choose(message["view"], message["budget"])}


for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "end":
        break
    print(json.dumps(answer(message)), flush=True)
