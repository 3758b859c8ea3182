"""The table service: the log of events, seats, clocks, bots and the fair shuffle."""
