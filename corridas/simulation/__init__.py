"""Advances seasons: contracts matadors, plays corridas, posts results, and plays winters.

To post a corrida means to publish its results and to update ranking, careers and records. All code
that applies the game's rules to database rows is here. The time (`at`, an aware datetime) and the
source of new seeds (`fresh`) are arguments. Every function that writes does so in one transaction.
"""
