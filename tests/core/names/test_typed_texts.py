"""Fields of forms and of the API clean a text before they check its length."""

from __future__ import annotations

import pytest
from django import forms
from rest_framework import serializers

from core.names import forms as form_fields
from core.names import serializers as api_fields


class NameForm(forms.Form):
    name = form_fields.CleanCharField(max_length=4)
    about = form_fields.CleanTextField(max_length=9, required=False)


class NameBody(serializers.Serializer[object]):
    name = api_fields.CleanCharField(max_length=4)
    about = api_fields.CleanTextField(max_length=9, required=False, allow_blank=True)


@pytest.mark.parametrize(
    ("name", "about", "stored"),
    [
        ("A\u0301\u200b\u0301na", "", "Á\u0301na"),
        ("\u202eAna\u202c\u200b\u200b", " uno\u200b \r\n\n dos ", "Ana"),
    ],
)
def test_text_fields_clean_a_value_before_checking_its_length(
    name: str, about: str, stored: str
) -> None:
    form = NameForm({"name": name, "about": about})
    assert form.is_valid()
    body = NameBody(data={"name": name, "about": about})
    assert body.is_valid()
    cleaned = {"name": stored, "about": "uno\n\ndos" if about else ""}
    assert form.cleaned_data == dict(body.validated_data) == cleaned


@pytest.mark.parametrize(
    ("name", "form_code", "api_code"),
    [
        ("", "required", "blank"),
        (" \u200b\u2800 ", "required", "blank"),
        ("Anaïs", "max_length", "max_length"),
        ("\u200b" * 10_000, "required", "blank"),
        ("x" * 10_000, "max_length", "max_length"),
    ],
)
def test_form_and_api_reject_a_bad_name_at_its_field(
    name: str, form_code: str, api_code: str
) -> None:
    form = NameForm({"name": name})
    assert form.errors.as_data()["name"][0].code == form_code
    assert form["name"].value() == name, "what was typed stays"
    body = NameBody(data={"name": name})
    assert not body.is_valid()
    assert body.errors["name"][0].code == api_code
