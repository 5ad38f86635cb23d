"""Running with the Bulls: rules, bots, tables, sheets and pages of El Toro."""
