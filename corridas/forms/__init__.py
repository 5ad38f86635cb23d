"""What people fill in, translated for the operations, which judge whether it can be."""

from corridas.forms.desk import AirForm, CartelForm, RunForm, refuse

__all__ = ["AirForm", "CartelForm", "RunForm", "refuse"]
