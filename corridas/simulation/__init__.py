"""Plays seasons: drawing, playing, posting, winters and the record book."""
