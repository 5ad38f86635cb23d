"""Operations on members and guests."""
