"""The conformance kit: one check for every game, for its own tests and for yours.

>>> from meja import make_rules
>>> from meja.testing import check_game
>>> report = check_game(make_rules("bassadewitz"), deals=2)
>>> report.deals
2
"""

from meja.testing.conformance import ConformanceError, Report, check_game
from meja.testing.mixes import all_presets, random_rules, single_options
from meja.testing.perft import perft

__all__ = ["ConformanceError", "Report", "all_presets", "check_game", "perft", "random_rules", "single_options"]
