"""Foundation of the API under `/api/v1/`.

Each application has an `api` package with one module per resource, which contains its views and
serializers. `<app>/api/urls.py` lists the URLs, and `config/api_urls.py` includes them. A view
only converts its input and output, and calls one function of the application's queries or
operations. All views inherit from `views.ResourceView`, DRF's `GenericAPIView` with further checks:

- `views.ListView` is for GET of a collection. It is paginated by cursor (`ordering` must end in a
  unique column) and filtered by `filterset_class`.
- `views.DetailView` is for GET of one object. `get_object` returns the row or raises `Http404`.
- A resource with many actions also inherits from DRF's `ViewSetMixin`. Its URL patterns map methods
  to actions.

Every method for POST, PUT, PATCH or DELETE is decorated with `views.idempotent(serializer)`. In
it, `self.read(request)` returns the validated body. The user must be signed in, by API key or
session.

All responses have an ETag, and clients that have the current version get 304 (`conditional.etag`).
`conditional.check_if_match(request, data)` compares `If-Match` with the current representation
(412, or 428 if it is `required` and missing). With an `Idempotency-Key`, a repeated request acts
only once: the action and its stored response share a transaction, and errors are not stored.

Errors are problem documents (RFC 9457). An application registers its own errors with
`problems.as_problem`, a `functools.singledispatch`, in `<app>/api/`. Unexpected errors are logged
and return a 500 without details. Bodies are JSON of limited size and depth, without NUL and lone
surrogates (`parsing`).

The API reveals no result before it is public: views read through the same `shown(at=...)` and
`queries` as pages do. Objects that a user may not see return 404, never 403.

The schema describes every response. `views` adds the problems that all views share. Further
problems are declared with `problems.problem_responses(409, 422)` in `extend_schema(responses=...)`.
"""
