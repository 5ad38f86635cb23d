"""What allauth and Django say to people here, so that our own catalogue says it too.

Their Spanish speaks to a stranger (*usted*) and has words of its own for what this site calls
otherwise; ours stands before theirs, so naming a message here is enough for `manage.py extract` to
keep it. Nothing reads these names but gettext and a test. Left out is what already sounds like us,
what no page here can say (telephones, other sites), and the office.
"""
