"""The site on two hosts, its processes killed at random: `make chaos`."""
