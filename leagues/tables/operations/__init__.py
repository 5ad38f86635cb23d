"""Operations on live tables."""
