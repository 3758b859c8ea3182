"""PettingZoo environments of the four games: ``bassadewitz_v0``, ``calabresella_v0``, ``kaluki_v0``, ``smear_v0``.

Needs the extra ``meja[pettingzoo]``. See ``docs/envs.md``.
"""
