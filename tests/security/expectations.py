"""What every address of the running project is for, and whom it lets in: literal data.

To add an address: one line under its URL name for each method it answers. `needs` is a list of alternatives
(`|`), each a list of conditions (`&`) about the subject the address is about:

    anyone             whoever asks, signed in or not
    signed in          any person with an account
    own                signed in; whether it is there depends on the person's own account
    a parent           a parent of anybody
    parent             a parent of this subject
    member             a member of this subject, in whatever role
    view <resource>    the matrix lets them view the resource (of this subject, as its parent decided)
    add <resource>     the matrix lets them add to it
    nobody             the address is there and answers 404 to everybody in a house that is set up

`of` names the planted row whose ids fill the address: `twin.Record` fills `rec_id` or `pk` with the planted
record's. Who is let in gets any status but 404; who is not gets 404; a guest is led to the sign-in page
(`guest` says otherwise). `sends` are the fields of a post; `{subject}` in one is the subject's number.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Page:
    """One address with one method."""

    needs: str
    of: str = "twin.Subject"
    method: str = "GET"
    sends: Mapping[str, str] = field(default_factory=dict)
    guest: str = "sign-in"  # or "same": as everybody else


def get(needs: str, of: str = "twin.Subject", guest: str = "sign-in") -> Page:
    """A page that is read."""
    return Page(needs, of, guest=guest)


def post(needs: str, of: str = "twin.Subject", guest: str = "sign-in", **sends: str) -> Page:
    """A form that is posted."""
    return Page(needs, of, "POST", sends, guest)


SEES, ADDS = "view observation", "add observation"
SEES_AND_ADDS = f"{SEES} & {ADDS}"
READS, HANDS_IN = "view document", "add document"
OWN_ACCOUNT = (get("signed in"), post("signed in"))
SIGN_IN = (get("anyone", guest="same"), post("anyone", guest="same"))
# Addresses of allauth that this house does not use: they lead on, and hold nothing of a subject.
UNUSED = (get("anyone", guest="same"),)
WIRE_READ = (get("anyone", guest="same"),)
WIRE_WRITE = (post("anyone", guest="same"),)

PAGES: Mapping[str, tuple[Page, ...]] = {
    # patterns, strategies, insights
    "memory:pattern-list": (get("view memory"),),
    "memory:pattern-brief": (get("view memory"),),
    "memory:pattern-show": (get("view memory & view observation", "memory.Pattern"),),
    "memory:pattern-retire": (post("parent", "memory.Pattern"),),
    "memory:pattern-reopen": (post("parent", "memory.Pattern"),),
    "memory:strategy-list": (get("view memory"),),
    "memory:strategy-add": (get("add memory"), post("add memory", name="")),
    "memory:strategy-show": (get("view memory", "memory.Strategy"),),
    "memory:strategy-change": (
        get("view memory & add memory", "memory.Strategy"),
        post("view memory & add memory", "memory.Strategy", name=""),
    ),
    "memory:strategy-adopt": (post("view memory & add memory", "memory.Strategy"),),
    "memory:strategy-retire": (post("view memory & add memory", "memory.Strategy"),),
    "memory:strategy-use": (post("view memory & add memory", "memory.Strategy", outcome="success"),),
    "memory:event-tried": (get("view memory & view observation", "twin.Event"),),
    "memory:use-answer": (post("view memory & add memory", "memory.StrategyUse", outcome="success"),),
    "memory:use-undo": (post("view memory & add memory", "memory.StrategyUse"),),
    "memory:insight-show": (get("own"),),
    "memory:variant-list": (get("a parent"), post("a parent")),
    "memory:variant-add": (post("a parent", text="short"),),
    "healthz": (get("anyone", guest="same"),),
    # one's own account
    "account_login": SIGN_IN,
    "account_logout": SIGN_IN,
    "account_signup": SIGN_IN,
    "account_inactive": UNUSED,
    "account_reauthenticate": OWN_ACCOUNT,
    "account_request_reauthentication_code": UNUSED,
    "account_confirm_reauthentication_code": UNUSED,
    "account_email": UNUSED,
    "account_email_verification_sent": UNUSED,
    "account_change_password": OWN_ACCOUNT,
    "account_set_password": UNUSED,
    "account_reset_password": UNUSED,
    "account_confirm_login_code": UNUSED,
    "account_confirm_email": UNUSED,
    "account_reset_password_from_key": UNUSED,
    "account_reset_password_from_key_done": UNUSED,
    "account_reset_password_done": UNUSED,
    "mfa_index": OWN_ACCOUNT[:1],
    "mfa_authenticate": UNUSED,
    "mfa_reauthenticate": OWN_ACCOUNT[:1],
    "mfa_activate_totp": OWN_ACCOUNT,
    "mfa_deactivate_totp": (get("own"),),
    "mfa_view_recovery_codes": (get("own"),),
    "mfa_generate_recovery_codes": (get("own"),),
    "mfa_download_recovery_codes": (get("own"),),
    "mfa_list_webauthn": OWN_ACCOUNT[:1],
    "mfa_add_webauthn": OWN_ACCOUNT[:1],
    "mfa_reauthenticate_webauthn": OWN_ACCOUNT[:1],
    "mfa_remove_webauthn": UNUSED,
    "mfa_edit_webauthn": UNUSED,
    "mfa_login_webauthn": UNUSED,
    "usersessions_list": OWN_ACCOUNT,
    # what makes it an app on the home screen, and help
    "household:manifest-show": (get("anyone", guest="same"),),
    "household:worker-show": (get("anyone", guest="same"),),
    "household:offline-show": (get("anyone", guest="same"),),
    "household:help-show": (get("signed in"),),
    "household:keys-show": (get("signed in"),),
    # what another app shares is only shown back to whoever shared it, until they say whom it is about
    "memory:share-show": (get("signed in"), post("signed in", text="she is fine")),
    "memory:share-keep": (post(HANDS_IN, subject="{subject}", client_id="one"),),
    "household:restore-show": (get("nobody", guest="same"), post("nobody", guest="same")),
    "household:restore-wait": (get("anyone", guest="same"),),
    "household:firstrun-show": (get("nobody", guest="same"), post("nobody", guest="same")),
    "household:account-show": OWN_ACCOUNT,
    "household:secondstep-show": OWN_ACCOUNT[:1],
    "household:settings-show": (get("a parent"), post("a parent", card="pin")),
    "household:channel-list": (get("signed in"), post("signed in", card="ntfy")),
    "household:channel-drop": (post("signed in"),),
    # nothing is set up in the walked house (tests/household/notices sets channels up)
    "household:channel-try": (post("nobody"),),
    "household:mail-show": (get("a parent"), post("a parent", host="")),
    "household:matrix-show": (get("a parent"),),
    "household:system-show": (get("a parent"),),
    "household:backup-make": (post("a parent"),),
    "household:backup-seal": (post("a parent"),),
    # No backup stands in the walked house; tests/household/backups opens real ones as each role.
    "household:backup-download": (get("nobody"),),
    "household:backup-delete": (post("nobody"),),
    "household:invitation-list": (get("a parent"), post("a parent")),
    # no invitation is planted: its number is nobody's, and its token is known to nobody
    "household:invitation-revoke": (post("nobody"),),
    "household:invitation-open": (get("nobody", guest="same"), post("nobody", guest="same")),
    "household:recovery-use": (get("anyone", guest="same"), post("anyone", guest="same")),
    # the number is a person's, and a subject's number is of nobody known
    "household:recovery-issue": (get("nobody"), post("nobody")),
    "household:membership-list": (get("parent"),),
    "household:membership-show": (get("parent", "household.Membership"),),
    "household:membership-decide": (
        post("parent", "household.Membership", turn="document:view:on"),
        post("parent", "household.Membership"),
    ),
    "household:membership-limit": (post("parent", "household.Membership", window="all"),),
    "household:membership-end": (
        get("parent", "household.Membership"),
        post("parent", "household.Membership"),
    ),
    "household:accesslog-list": (get("parent"),),
    "twin:subject-preview": (get("parent", "household.Membership"),),
    "voice:settings-show": (get("a parent"), post("a parent")),
    "voice:text-speak": (post("signed in"),),
    # the book
    "twin:today-show": (get("signed in"),),
    "twin:caseload-show": (get("signed in"),),
    "twin:school-show": (get(ADDS), post(ADDS, tap="day:1")),
    "twin:subject-list": (get("signed in"),),
    "twin:subject-add": (get("a parent"), post("a parent", kind="cat")),
    "twin:subject-show": (get("view profile | view observation"),),
    "twin:subject-change": (get("add profile"), post("add profile")),
    "twin:profile-change": (get("add profile"), post("add profile")),
    "twin:profile-show": (get("view profile"),),
    "twin:profile-measure": (get("add profile"),),
    "twin:profile-step": (get("add profile"), post("add profile")),
    "twin:assessment-show": (get("view profile"),),
    "twin:assessment-make": (post("add profile"),),
    "twin:frame-show": (get(SEES),),
    "twin:night-list": (get(SEES),),
    "twin:month-show": (get(SEES),),
    "twin:print-show": (get("view profile | view observation"),),
    "twin:record-show": (get(SEES, "twin.Record"),),
    "twin:record-correct": (get("parent", "twin.Record"), post("parent", "twin.Record")),
    "twin:record-judge": (post("parent", "twin.Record", verdict="nothing"),),
    "twin:course-close": (post("parent", "twin.Record#course"),),
    "twin:course-mark": (post("parent", "twin.Record#course"),),
    "twin:agenda-answer": (post(SEES_AND_ADDS, "twin.AgendaItem", answer="unseen"),),
    "twin:form-show": (get(ADDS),),
    "twin:form-tap": (post(ADDS, client_id="one", note="a note"),),
    "twin:event-list": (get(f"{SEES} | {ADDS}"),),
    "twin:event-add": (get(ADDS), post(ADDS)),
    "twin:event-show": (get(SEES, "twin.Event"),),
    "twin:event-correct": (get("parent", "twin.Event"), post("parent", "twin.Event")),
    "twin:event-undo": (post("parent", "twin.Event"),),
    "twin:medicine-list": (get(SEES),),
    "twin:medicine-add": (get("parent"), post("parent")),
    "twin:medicine-show": (get(SEES, "twin.Medicine"),),
    "twin:medicine-change": (get("parent", "twin.Medicine"), post("parent", "twin.Medicine")),
    "twin:medicine-stop": (post("parent", "twin.Medicine"),),
    "twin:dose-add": (get(SEES_AND_ADDS, "twin.Medicine"), post(SEES_AND_ADDS, "twin.Medicine")),
    "twin:dose-correct": (get("parent", "twin.Dose"), post("parent", "twin.Dose")),
    "twin:dose-remove": (post("parent", "twin.Dose"),),
    "twin:trackable-list": (get(SEES),),
    "twin:trackable-show": (get(SEES, "twin.TrackableSubject"),),
    "twin:trackable-log": (
        get(SEES_AND_ADDS, "twin.TrackableSubject"),
        post(SEES_AND_ADDS, "twin.TrackableSubject"),
    ),
    "twin:trackable-undo": (post("parent", "twin.TrackableEntry"),),
    "twin:trackable-add": (get("a parent"), post("a parent")),
    "twin:trackable-change": (get("parent", "twin.Trackable"), post("parent", "twin.Trackable")),
    "twin:trackable-put-away": (post("parent", "twin.Trackable"),),
    "twin:quicklog-list": (get("parent"), post("parent")),
    "twin:quicklog-revoke": (post("parent", "twin.QuickLog"),),
    # the address of a feed is known to nobody
    "twin:feed-sensor": (get("nobody", guest="same"),),
    "twin:feed-show": (get("nobody", guest="same"),),
    "memory:export-list": (get("a parent"), post("a parent", subjects="{subject}")),
    # no export is planted: its number is nobody's
    "memory:export-download": (get("nobody"),),
    "memory:export-bring-in": (post("a parent"),),
    # no import is planted: its number is nobody's (tests/twin/importing opens real ones)
    "twin:import-list": (get("a parent"), post("a parent")),
    "twin:import-show": (get("nobody"), post("nobody")),
    "twin:import-columns": (get("nobody"), post("nobody")),
    "twin:import-run": (post("nobody"),),
    "twin:import-undo": (post("nobody"),),
    # the planted button's token is known to nobody: its hash is a word
    "twin:quicklog-press": (get("nobody", guest="same"), post("nobody", guest="same")),
    # the wire: whoever signs in by a page has no device's token (tests/security/test_devices.py has)
    "api:api-root": (get("nobody", guest="same"),),
    "api:openapi-json": (get("anyone", guest="same"),),
    "api-nowhere": (get("nobody", guest="same"), post("nobody", guest="same")),
    "api:device-pair": (post("anyone", guest="same"),),
    "api:state-show": WIRE_READ,
    "api:registers-exchange": WIRE_WRITE,
    "api:time-exchange": WIRE_WRITE,
    "api:memory-exchange": WIRE_WRITE,
    "api:chat-exchange": WIRE_WRITE,
    "api:journal-push": WIRE_WRITE,
    "api:journal-pull": WIRE_READ,
    "api:picture-keep": WIRE_READ,
    "api:picture-show": WIRE_READ,
    "api:turn-answer": WIRE_WRITE,
    "api:text-speak": WIRE_WRITE,
    # forgetting: the key of a turn, a day and the like is of one kind
    "memory:forget-show": (
        get("parent", "twin.Record"),
        post("parent", "twin.Record", client_id="one"),
    ),
    "memory:forgetting-show": (get("parent", "memory.Forgetting"),),
    # documents
    "memory:document-list": (get(f"{READS} | {HANDS_IN}"),),
    "memory:document-add": (get(HANDS_IN), post(HANDS_IN, client_id="one")),
    "memory:document-show": (get(READS, "memory.Document"),),
    "memory:document-progress": (get(READS, "memory.Document"),),
    "memory:document-correct": (post("parent", "memory.Document", kind="other"),),
    "memory:document-unlock": (post("parent", "memory.Document", password="no"),),
    "memory:document-retry": (post("parent", "memory.Document"),),
    "memory:document-forget": (get("parent", "memory.Document"), post("parent", "memory.Document")),
    "memory:document-original": (get(READS, "memory.Document"),),
    "memory:document-thumbnail": (get(READS, "memory.Document"),),
    "memory:finding-accept": (post("parent", "memory.ProposedFinding"),),
    "memory:finding-decline": (post("parent", "memory.ProposedFinding"),),
    # the journal; without a planted day the page of one is there and empty
    "memory:memory-list": (get("a parent | view memory"),),
    "memory:memory-show": (get("view memory", "memory.Memory"),),
    "memory:memory-put-away": (post("parent", "memory.Memory"),),
    "memory:memory-undo": (post("parent", "memory.Memory"),),
    "memory:memory-restore": (post("parent", "memory.Memory"),),
    "memory:memory-edit": (post("parent", "memory.Memory", text="other words"),),
    # no picture and no device is planted by the name in the address
    "memory:picture-show": (get("nobody"),),
    # the companion's shell holds nothing of anybody
    "memory:companion-show": (get("anyone", guest="same"),),
    "memory:companion-worker": (get("anyone", guest="same"),),
    "memory:companion-manifest": (get("anyone", guest="same"),),
    "memory:device-list": (get("a parent"),),
    "memory:device-pair": (post("a parent"),),
    "memory:device-rename": (post("nobody", name="tablet"),),
    "memory:device-revoke": (get("nobody"), post("nobody")),
    "memory:journal-list": (get("a parent"),),
    "memory:journal-show": (get("a parent"),),
    "memory:heard-list": (get("parent"),),
    "memory:crisis-acknowledge": (post("parent", "memory.CrisisCard"),),
    # turns
    # one's own questions; each about somebody whose member one is
    "memory:ask-show": (get("signed in"), post("member", subject="{subject}", words="how is she?")),
    "memory:ask-stream": (post("member", subject="{subject}", words="how is she?"),),
    "memory:ask-answer": (get("view conversation", "memory.Answer"),),
    "memory:ask-thumb": (post("own", "memory.Answer", thumb="up"),),
    "memory:search-show": (get("signed in"), post("signed in", words="ear")),
    "memory:turn-tell": (post(ADDS, subject="{subject}", words="she is fine"),),
    "memory:turn-show": (get(SEES, "twin.Statement"),),
    "memory:turn-undo": (post("parent", "twin.Statement"),),
    "memory:question-answer": (post("view conversation & add observation", "twin.Question", answer="today"),),
    "memory:openquestion-answer": (
        post("view conversation & add observation", "memory.OpenQuestion", answer="unseen"),
    ),
    "memory:fact-list": (get("parent"), post("parent")),
    "memory:fact-retire": (post("parent", "memory.SettledFact"),),
    "memory:topic-add": (post("parent"),),
    "memory:topic-remove": (post("parent", "memory.NeverTopic"),),
    "memory:statement-choose": (post("parent", "twin.Statement", subject="{subject}"),),
}
