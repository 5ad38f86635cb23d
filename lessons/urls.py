"""The URLs of the lessons."""

from __future__ import annotations

from django.urls import path

from lessons.views import lesson_page, lessons_page

urlpatterns = [
    path("lecciones/", lessons_page, name="lessons"),
    path("lecciones/<slug:slug>/", lesson_page, name="lesson"),
]
