"""Spoiler protection: hides what a person has not watched."""
