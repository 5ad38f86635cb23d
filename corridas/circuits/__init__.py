"""Operations on circuits: create, copy, configure, transfer, freeze, delete and restore."""
