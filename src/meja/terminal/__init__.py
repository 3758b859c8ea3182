"""Play at the terminal, one line after the other: for people, screen readers and scripts."""
