"""Tests of the Indulto rules engine, one ruling (I-1 to I-16) after the other."""
