"""Addresses of the household's own pages."""

from django.urls import path

from household.views import (
    accesslog,
    account,
    backups,
    firstrun,
    helping,
    installed,
    invitations,
    memberships,
    notices,
    recovery,
    restoring,
    settings,
)

app_name = "household"
urlpatterns = [
    path("app.webmanifest", installed.manifest_show, name="manifest-show"),
    path("worker.js", installed.worker_show, name="worker-show"),
    path("offline", installed.offline_show, name="offline-show"),
    path("help", helping.help_show, name="help-show"),
    path("help/keys", helping.keys_show, name="keys-show"),
    path("welcome", firstrun.firstrun_show, name="firstrun-show"),
    path("welcome/restore", restoring.restore_show, name="restore-show"),
    path("welcome/restore/wait", restoring.restore_wait, name="restore-wait"),
    path("account", account.account_show, name="account-show"),
    path("account/second-step", account.secondstep_show, name="secondstep-show"),
    path("account/told", notices.channel_list, name="channel-list"),
    path("account/told/<str:kind>/drop", notices.channel_drop, name="channel-drop"),
    path("account/told/<str:kind>/try", notices.channel_try, name="channel-try"),
    path("household/mail", notices.mail_show, name="mail-show"),
    path("household", settings.settings_show, name="settings-show"),
    path("household/matrix", settings.matrix_show, name="matrix-show"),
    path("system", backups.system_show, name="system-show"),
    path("system/backups/make", backups.backup_make, name="backup-make"),
    path("system/backups/seal", backups.backup_seal, name="backup-seal"),
    path("system/backups/<str:name>", backups.backup_download, name="backup-download"),
    path("system/backups/<str:name>/delete", backups.backup_delete, name="backup-delete"),
    path("household/invitations", invitations.invitation_list, name="invitation-list"),
    path("household/invitations/<int:pk>/revoke", invitations.invitation_revoke, name="invitation-revoke"),
    path("join/<str:token>", invitations.invitation_open, name="invitation-open"),
    path("recover", recovery.recovery_use, name="recovery-use"),
    path("people/<int:pk>/recover", recovery.recovery_issue, name="recovery-issue"),
    path("book/<int:pk>/people", memberships.membership_list, name="membership-list"),
    path("book/<int:pk>/looks", accesslog.accesslog_list, name="accesslog-list"),
    path("people/<int:pk>", memberships.membership_show, name="membership-show"),
    path("people/<int:pk>/decide", memberships.membership_decide, name="membership-decide"),
    path("people/<int:pk>/limits", memberships.membership_limit, name="membership-limit"),
    path("people/<int:pk>/end", memberships.membership_end, name="membership-end"),
]
