"""Environments for learning algorithms: encodings, PettingZoo, Gymnasium, OpenSpiel, many deals at once.

Each needs an extra (``meja[pettingzoo]``, ``meja[gymnasium]``, ``meja[openspiel]``); see ``docs/envs.md``.
"""
