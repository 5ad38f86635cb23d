"""Threads that read and render broadcasts for the live feed."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import ParamSpec, TypeVar

from django.db import DatabaseError, close_old_connections, connection

from core.disk import is_damaged

P = ParamSpec("P")
R = TypeVar("R")
THREADS = 2

_executor = ThreadPoolExecutor(THREADS, thread_name_prefix="live")


async def in_thread(function: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
    """Run a function in a thread and return its result.

    Expired database connections are closed before and after, as Django does for requests.
    """

    def call() -> R:
        close_old_connections()
        try:
            return function(*args, **kwargs)
        except DatabaseError as error:
            if is_damaged(error):
                connection.close()  # a new connection may find a restored file
            raise
        finally:
            close_old_connections()

    return await asyncio.get_running_loop().run_in_executor(_executor, call)
