"""Addresses of the household's own pages."""

from django.urls import path

from household.views import account, firstrun, invitations, settings

app_name = "household"
urlpatterns = [
    path("welcome", firstrun.firstrun_show, name="firstrun-show"),
    path("account", account.account_show, name="account-show"),
    path("household", settings.settings_show, name="settings-show"),
    path("household/matrix", settings.matrix_show, name="matrix-show"),
    path("household/invitations", invitations.invitation_list, name="invitation-list"),
    path("household/invitations/<int:pk>/revoke", invitations.invitation_revoke, name="invitation-revoke"),
    path("join/<str:token>", invitations.invitation_open, name="invitation-open"),
]
