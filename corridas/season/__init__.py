"""A season in the hands of its director: operations, carteles, feria previews and digests."""
