"""How often something may be done, whoever asks: pages and programs."""
