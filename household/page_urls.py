"""Addresses of the household's own pages."""

from django.urls import path

from household.views import account, firstrun, settings

app_name = "household"
urlpatterns = [
    path("welcome", firstrun.firstrun_show, name="firstrun-show"),
    path("account", account.account_show, name="account-show"),
    path("household", settings.settings_show, name="settings-show"),
    path("household/matrix", settings.matrix_show, name="matrix-show"),
]
