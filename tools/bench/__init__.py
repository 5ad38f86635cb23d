"""Every bar of the project, measured: `make bench`, or `make bench ONLY=name`."""
