"""What the director of a circuit does with a season: operations, choice of matadors, digests."""
