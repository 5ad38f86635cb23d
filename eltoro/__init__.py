"""The game Running with the Bulls (El Toro): rules engine, bots, online tables,
scoresheets, pages.
"""
