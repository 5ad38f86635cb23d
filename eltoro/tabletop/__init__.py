"""Games of El Toro with real cards: scoresheets, the referee, and boards tracked on the site."""
