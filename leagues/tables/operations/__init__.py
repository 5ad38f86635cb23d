"""Operations on tables."""
