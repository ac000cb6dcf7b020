"""Compiled play: shuffling, dealing, turns, cards, rounds and games (rules.md)."""
