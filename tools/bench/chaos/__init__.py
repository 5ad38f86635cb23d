"""Test of the site on two hosts while its processes are killed at random: `make chaos`."""
