"""Foundation of the API under `/api/v1/`.

An application puts its part into `<app>/api/`: one module per resource, with its serializers beside
its views. `<app>/api/urls.py` names the addresses, and `config/api_urls.py` includes them. A view
translates and makes one call into queries or operations. It is a `views.ResourceView`, which is
DRF's `GenericAPIView` with checks:

- `views.ListView`: GET of a collection, paginated by cursor (`ordering` must end in a unique
column), filtered by `filterset_class`
- `views.DetailView`: GET of one object. `get_object` returns the row or raises `Http404`
- with DRF's `ViewSetMixin`, a resource with many actions. The table of URLs says which method calls
which action.

Every method for POST, PUT, PATCH or DELETE is decorated with `views.idempotent(serializer)`:
`self.read(request)` returns the validated body. It needs a signed-in user, by key or session.

All responses have an ETag and answer 304 to clients that have it (`conditional.etag`).
`conditional.check_if_match(request, data)` compares `If-Match` with the current
representation (412, or 428 if it is `required` and missing). With an `Idempotency-Key`,
a repeated request acts only once: the action and its stored response share a transaction, and
errors are not stored.

Errors are problem documents (RFC 9457). An application registers its own errors with
`problems.as_problem`, a `functools.singledispatch`, in `<app>/api/`. Unexpected
errors are a 500 without details, and are logged. Bodies are JSON of limited size and depth,
without NUL and lone surrogates (`parsing`).

The API shows nothing before its time: views read through the same `shown(at=...)` and
`queries` as pages do. Objects that a user may not see are 404, never 403.

The schema describes every response. `views` adds the problems that all views share. Others
are declared with `problems.problem_responses(409, 422)` in `extend_schema(responses=...)`.
"""
