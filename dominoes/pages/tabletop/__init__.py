"""Pages for dominoes hands played with real tiles: entry form and printed scoresheets."""
