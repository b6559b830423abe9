"""The composition root: every page and the API in one list."""

from django.conf import settings
from django.urls import URLPattern, URLResolver, include, path
from django.views.decorators.csrf import csrf_exempt

from household.api import api, nowhere
from household.views import system

urlpatterns: list[URLPattern | URLResolver] = [
    path("healthz", system.health, name="healthz"),
    path("accounts/", include("household.account_urls")),
    path("api/v1/", api.urls),
    path("api/<path:rest>", csrf_exempt(nowhere), name="api-nowhere"),
    path("", include("household.page_urls")),
    path("", include("twin.urls")),
    path("", include("memory.urls")),
    path("", include("voice.urls")),
]
if settings.DEBUG:
    urlpatterns.append(path("styleguide", system.styleguide, name="styleguide"))
handler400 = "household.views.system.unreadable"
handler404 = "household.views.system.not_found"
handler500 = "household.views.system.failed"
