"""The byte stream of an event, and unbiased numbers, shuffles and dice derived from it."""

from __future__ import annotations

import os
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from hashlib import shake_256
from itertools import accumulate
from typing import TypeVar

Item = TypeVar("Item")

SEED_BYTES = 32
_FIRST_READ = 256
_BYTE_VALUES = 256
# Bytes from this value on are rejected, because they would favour some numbers in a choice among
# `top` + 1 numbers.
_LIMITS = tuple(_BYTE_VALUES - _BYTE_VALUES % (top + 1) for top in range(_BYTE_VALUES))
_SIDES = 6
_FACES = bytes(byte % _SIDES + 1 for byte in range(_BYTE_VALUES))
_NO_FACES = bytes(range(_LIMITS[_SIDES - 1], _BYTE_VALUES))


class Seed:
    """Thirty-two bytes from which all random numbers of a corrida or game are derived.

    See Ruling F-1. Raises `ValueError` if the value is not exactly 32 bytes long.
    """

    __slots__ = ("value",)

    def __init__(self, value: bytes) -> None:
        if len(value) != SEED_BYTES:
            raise ValueError(f"A seed is {SEED_BYTES} bytes long, this one {len(value)}.")
        self.value = bytes(value)

    @classmethod
    def fresh(cls) -> Seed:
        """Return a new seed from the operating system. Game rules never call this."""
        return cls(os.urandom(SEED_BYTES))

    def chance(self, label: str) -> Chance:
        """Return the random numbers for one label, such as `lidia/3`.

        They are independent of the numbers for other labels.
        """
        return Chance(self.value, label)

    def __repr__(self) -> str:
        return "Seed(<32 bytes>)"


class Chance:
    """Random numbers read from the byte stream SHAKE-256(seed

    0x00

    label).

    A whole number below n is read from the smallest number of bytes that can hold n - 1,
    big-endian. If the value is in the incomplete last range of multiples of n, it is discarded and
    read again, so that no number is favoured (Ruling F-1).
    """

    __slots__ = ("_at", "_source", "_stream")

    def __init__(self, seed: bytes, label: str) -> None:
        self._source = shake_256(seed + b"\x00" + label.encode())
        self._stream = self._source.digest(_FIRST_READ)
        self._at = 0

    def _read(self, count: int) -> bytes:
        """Return the next `count` bytes of the stream.

        A longer output of SHAKE-256 begins with the shorter one, so the stream can be extended.
        """
        end = self._at + count
        while end > len(self._stream):
            self._stream = self._source.digest(2 * len(self._stream))
        taken = self._stream[self._at : end]
        self._at = end
        return taken

    def below(self, bound: int) -> int:
        """Return a uniformly distributed whole number from 0 to `bound` - 1.

        Raises `ValueError` if `bound` is below 1.
        """
        if 1 < bound <= _BYTE_VALUES:
            return self._below_byte(bound)
        if bound < 1:
            raise ValueError(f"There is no whole number from 0 below {bound}.")
        width = ((bound - 1).bit_length() + 7) // 8
        limit = (1 << (8 * width)) // bound * bound
        while True:
            number = int.from_bytes(self._read(width), "big")
            if number < limit:
                return number % bound

    def _below_byte(self, bound: int) -> int:
        """Return the same as `below` for a bound that fits into one byte, three times as fast."""
        limit = _LIMITS[bound - 1]
        while True:
            if self._at == len(self._stream):
                self._stream = self._source.digest(2 * self._at)
            number = self._stream[self._at]
            self._at += 1
            if number < limit:
                return number % bound

    def word(self) -> int:
        """Return a uniformly distributed whole number from 0 to 2**32 - 1.

        It is the same number as `below(2**32)` would return, in half the time.
        """
        at = self._at
        self._at = end = at + 4
        taken = self._stream[at:end]
        if len(taken) < end - at:
            self._at = at
            taken = self._read(end - at)
        return int.from_bytes(taken, "big")

    def roll(self, sides: int = 6) -> int:
        """Roll one die: a number from 1 to `sides`."""
        return self.below(sides) + 1

    def dice(self, count: int) -> bytes:
        """Roll `count` six-sided dice. The results equal those of as many calls of `roll()`."""
        at = self._at
        faces = self._stream[at : at + count].translate(_FACES, _NO_FACES)
        if len(faces) == count:
            self._at = at + count
            return faces
        faces = self._read(count).translate(_FACES, _NO_FACES)
        while len(faces) < count:
            faces += self._read(count - len(faces)).translate(_FACES, _NO_FACES)
        return faces

    def pick(self, items: Sequence[Item]) -> Item:
        """Return a uniformly chosen item. Raises `ValueError` if there are no items."""
        return items[self.below(len(items))]

    def weighted(self, weights: Sequence[int]) -> int:
        """Return a random index. Its probability is proportional to its weight.

        Weights are whole numbers from 0. Raises `ValueError` if none is above 0 or one is negative.
        """
        if min(weights, default=0) < 0:
            raise ValueError("A weight is 0 or more.")
        marks = list(accumulate(weights))
        return bisect_right(marks, self.below(marks[-1] if marks else 0))

    def shuffle(self, items: list[Item]) -> None:
        """Shuffle a list in place by Fisher-Yates, from its last index down (Ruling F-1)."""
        if len(items) > _BYTE_VALUES:
            self._shuffle_long(items, len(items) - 1)
            return
        stream, at, top = self._stream, self._at, 0
        try:
            for top in range(len(items) - 1, 0, -1):
                number = stream[at]
                while number >= _LIMITS[top]:
                    at += 1
                    number = stream[at]
                at += 1
                other = number % (top + 1)
                items[top], items[other] = items[other], items[top]
        except IndexError:  # the bytes read so far are used up: draw the rest singly
            self._at = at
            self._shuffle_long(items, top)
        else:
            self._at = at

    def _shuffle_long(self, items: list[Item], first: int) -> None:
        for top in range(first, 0, -1):
            other = self.below(top + 1)
            items[top], items[other] = items[other], items[top]

    def shuffled(self, items: Iterable[Item]) -> list[Item]:
        copy = list(items)
        self.shuffle(copy)
        return copy
