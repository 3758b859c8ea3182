"""The table over HTTP: pages, messages, streams."""
