"""What a person can ask for: one verb each, keyword-only, one transaction each.

Refusals are `OperationError`s: a sentence for the person, and the field it belongs to.
"""
