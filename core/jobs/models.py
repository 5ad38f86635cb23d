"""Jobs: database rows that describe work until a worker has done it.

A worker claims the row, updates it now and then as a sign of life, and marks it as ended. A
periodic task finds rows on which no worker is working.
"""

from __future__ import annotations

import datetime as dt
from typing import Any, ClassVar, TypeVar

from django.db import models
from django.db.models import Q

MAX_ERROR_LENGTH = 300
AnyJob = TypeVar("AnyJob", bound="Job")


class TakenOverError(Exception):
    """The worker has lost its job: another worker has claimed it, or it was cancelled."""


class JobQuerySet(models.QuerySet[AnyJob]):
    """Queryset of jobs with methods to find, claim and fail them."""

    def sweep(self, *, at: dt.datetime) -> list[int]:
        """Return the primary keys of unfinished jobs on which no worker is working, oldest first.

        Their Celery message was lost or is still queued, or their worker has died.
        """
        return list(self.filter(self.model.free(at)).order_by("pk").values_list("pk", flat=True))

    def claim(self, key: int, *, at: dt.datetime, **changes: object) -> AnyJob | None:
        """Claim a job by compare-and-set, with these changes to its row, and return it.

        Returns None if the job has ended or was deleted, or if another worker has it.
        """
        claimed = {self.model.CLAIM_FIELD: at, **changes}
        if not self.filter(self.model.free(at), pk=key).update(**claimed):
            return None
        return self.get(pk=key)

    def fail(self, key: int, error: str, *, at: dt.datetime) -> None:
        """End a job with an error. For models with an `error` column whose jobs are not retried."""
        unfinished = self.filter(self.model.UNFINISHED, pk=key)
        unfinished.update(ended_at=at, error=error[:MAX_ERROR_LENGTH])


class Job(models.Model):
    """Base class of jobs. Subclasses define the columns and when a worker counts as dead.

    `CLAIM_FIELD` is the column in which a worker stores the time of its claim. It is None while no
    worker has the job. A sign of life updates `beat_at`, but not `begun_at`. Models without
    `beat_at` therefore need a `LOST_AFTER` longer than a whole job. A worker writes only if the
    column still contains the value that it wrote last. So a slow worker that counts as dead cannot
    write any more.
    """

    CLAIM_FIELD: ClassVar[str] = "beat_at"
    LOST_AFTER: ClassVar[dt.timedelta]
    UNFINISHED: ClassVar[Q] = Q(ended_at=None)

    objects = JobQuerySet.as_manager()

    class Meta:
        abstract = True

    @classmethod
    def free(cls, at: dt.datetime) -> Q:
        """Return the filter for unfinished jobs that a worker may claim.

        These are the jobs that no worker has claimed, or whose worker counts as dead.
        """
        waiting = Q((cls.CLAIM_FIELD, None))
        return cls.UNFINISHED & (waiting | Q((f"{cls.CLAIM_FIELD}__lte", at - cls.LOST_AFTER)))

    def beat(self, *, at: dt.datetime, **progress: object) -> None:
        """Save the progress and a sign of life. Raises `TakenOverError`."""
        if self.CLAIM_FIELD == "beat_at":
            progress["beat_at"] = at
        self._update(progress)

    def hold(self) -> None:
        """Lock the job's row in the database until the transaction ends.

        Raises `TakenOverError`.
        """
        if not self._own_row().select_for_update(no_key=True).exists():
            raise TakenOverError(f"{self._meta.label} {self.pk}")

    def release(self, **progress: object) -> None:
        """Save the progress and leave the rest of the job to another worker.

        Raises `TakenOverError`.
        """
        self._update({self.CLAIM_FIELD: None, **progress})

    def end(self, *, at: dt.datetime, **outcome: object) -> None:
        """Save the outcome of the job and mark it as ended. Raises `TakenOverError`."""
        self._update({"ended_at": at, **outcome})

    def _own_row(self) -> models.QuerySet[Any]:
        """Return a queryset with the job's row, which is empty if this worker has lost the job."""
        held = Q((self.CLAIM_FIELD, getattr(self, self.CLAIM_FIELD)))
        return type(self)._default_manager.filter(self.UNFINISHED, held, pk=self.pk)

    def _update(self, changes: dict[str, object]) -> None:
        if not self._own_row().update(**changes):
            raise TakenOverError(f"{self._meta.label} {self.pk}")
        if self.CLAIM_FIELD in changes:
            setattr(self, self.CLAIM_FIELD, changes[self.CLAIM_FIELD])
