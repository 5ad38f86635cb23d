"""The engine, ruling by ruling: tables of cases in a short notation, and what holds for all."""
