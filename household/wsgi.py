"""The WSGI application that granian serves."""

import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "household.settings")
application = get_wsgi_application()

from household.box.walls import refuse_owner  # noqa: E402 - needs the app registry

refuse_owner()
