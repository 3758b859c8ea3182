"""A game in words: what a table looks like, what happened, what may be done. For the terminal and the browser."""
