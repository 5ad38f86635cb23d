"""What programs meet: the ground every part of the interface under `/api/v1/` stands on.

An application offers its part in `<app>/api/`: `urls.py`, one module a resource, serializers
beside their views. `config/api_urls.py` gathers them. A view translates, makes one call into
queries or operations, and is one of:

- `views.ListView`: GET of many, paged by cursor (`ordering` must end in a unique column),
  filtered by `filterset_class`;
- `views.DetailView`: GET of one; `get_object` answers with the row or raises `Http404`;
- `views.ActionView`: a POST by somebody signed in, by key or session (a PUT, PATCH or DELETE where
  the class says `put = views.ActionView.do` and leaves POST out of `http_method_names`).
  `asks_for` is the serializer of what comes in; `self.read(request)` gives the checked data; `act`
  answers.

All of them answer with an ETag over their data and 304 to who knows it (`conditional.etag`);
`conditional.check_if_match(request, data)` holds `If-Match` against the representation as it
stands (412, or 428 where it is `required`). `Idempotency-Key` on an `ActionView` makes of any
number of the same requests one: the act and its answer are one transaction, and what was refused
is not kept.

Errors are problem documents (RFC 9457). An application teaches `problems.as_problem`, a
`functools.singledispatch`, its own refusals, once, in `<app>/api/__init__.py`. Whatever cannot be
foreseen is a 500 without details, logged. Bodies are JSON, bounded in size and depth, without
NUL and half characters (`parsing`).

What the clock has not reached is not told here either: views read through the same
`shown(at=...)` and `queries` as pages do. Objects that somebody may not see are not there: 404,
never 403.

The schema names every answer: `views` adds the problems that all share; others are declared with
`problems.problem_responses(409, 422)` in `extend_schema(responses=...)`.
"""
