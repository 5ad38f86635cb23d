"""Operations on matches."""
