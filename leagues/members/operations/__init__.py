"""Operations on players, members and guests."""
