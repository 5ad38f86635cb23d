"""Spoiler protection: hides results of corridas that a user has not watched."""
