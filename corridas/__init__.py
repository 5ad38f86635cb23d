"""Django app for Indulto, a card game about bullfighting, and for the seasons played with it."""
