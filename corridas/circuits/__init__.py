"""Operations on circuits: creation, copying, settings, transfer, freezing and ending."""
