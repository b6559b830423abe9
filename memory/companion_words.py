"""The words of the companion's page, which a six-year-old reads; the page carries them in both languages."""

from __future__ import annotations

from collections.abc import Mapping

from django.utils import translation
from django.utils.translation import gettext, gettext_noop

LANGUAGES = ("en", "tr")
WORDS: Mapping[str, str] = {
    "title": gettext_noop("My companion"),
    "loading": gettext_noop("Waking up…"),
    "talk": gettext_noop("Talk"),
    "cards": gettext_noop("Cards"),
    "days": gettext_noop("Days"),
    "me": gettext_noop("Me"),
    "places": gettext_noop("Where to go"),
    # pairing
    "pair_title": gettext_noop("Hello! Who are you?"),
    "pair_help": gettext_noop("Ask a grown-up to open “Devices” in the house's book. Type six digits."),
    "pair_code": gettext_noop("Six digits"),
    "pair_name": gettext_noop("What is this tablet called?"),
    "pair_go": gettext_noop("Let me in"),
    "pair_scan": gettext_noop("Take a picture of the square"),
    "pair_no_square": gettext_noop("I see no square with a code. Type the digits."),
    "pair_wrong": gettext_noop("These digits do not fit. Ask for new ones."),
    "pair_many": gettext_noop("Too many tries. Wait a minute."),
    "pair_offline": gettext_noop("I cannot find the house. Is the tablet in the house's network?"),
    "pair_ended": gettext_noop("A grown-up took this tablet off the house. Nothing is kept here any more."),
    "pair_household": gettext_noop("These digits are for no child. Choose the child on that page."),
    "tablet": gettext_noop("Tablet"),
    # talking
    "say": gettext_noop("Tell me something"),
    "send": gettext_noop("Send"),
    "camera": gettext_noop("Take a picture"),
    "gallery": gettext_noop("Choose a picture"),
    "picture": gettext_noop("A picture"),
    "picture_off": gettext_noop("Take the picture away"),
    "picture_ready": gettext_noop("The picture is there. Write something, or send it."),
    "picture_gone": gettext_noop("The picture is gone."),
    "picture_bad": gettext_noop("I cannot see this picture."),
    "hello": gettext_noop("Hello! What shall we talk about?"),
    "you_said": gettext_noop("You:"),
    "it_said": gettext_noop("Companion:"),
    "thinking": gettext_noop("Thinking…"),
    "listen": gettext_noop("Read it to me"),
    "keep": gettext_noop("Keep as a card"),
    "kept": gettext_noop("Kept as a card"),
    "earlier": gettext_noop("What we said before"),
    "offline": gettext_noop("The house is far away. I keep everything and tell it later."),
    "full": gettext_noop(
        "There is no room left on this tablet. Nothing is lost, but I cannot keep new things. Ask a grown-up."
    ),
    # cards
    "no_cards": gettext_noop("No cards yet. Tell me something and tap the star!"),
    "my_cards": gettext_noop("My cards"),
    "away_cards": gettext_noop("Cards put away"),
    "no_away": gettext_noop("Nothing is put away."),
    "one_card": gettext_noop("A card"),
    "close": gettext_noop("Close"),
    "cover": gettext_noop("Make this the cover"),
    "is_cover": gettext_noop("This is the cover"),
    "told_on": gettext_noop("You told me this:"),
    "change": gettext_noop("Change the words"),
    "save": gettext_noop("Save"),
    "away": gettext_noop("Put away"),
    "was_away": gettext_noop("Put away."),
    "undo": gettext_noop("Undo"),
    "restore": gettext_noop("Bring it back"),
    "gone": gettext_noop("This card is not here any more."),
    # days
    "no_days": gettext_noop("No days yet. They come when we talk."),
    "today": gettext_noop("Today"),
    "yesterday": gettext_noop("Yesterday"),
    "more_days": gettext_noop("Show older days"),
    # me
    "who": gettext_noop("Who do you want to talk to?"),
    "cat": gettext_noop("Cat"),
    "dog": gettext_noop("Dog"),
    "owl": gettext_noop("Owl"),
    "robot": gettext_noop("Robot"),
    "coat": gettext_noop("The cat's coat"),
    "ginger": gettext_noop("Ginger"),
    "grey": gettext_noop("Grey"),
    "black": gettext_noop("Black"),
    "cream": gettext_noop("Cream"),
    "look": gettext_noop("Colours"),
    "meadow": gettext_noop("Meadow"),
    "sea": gettext_noop("Sea"),
    "space": gettext_noop("Space"),
    "candy": gettext_noop("Candy"),
    "language": gettext_noop("Language"),
    "aloud": gettext_noop("Read answers to me"),
    # grown-ups and rest
    "grownups": gettext_noop("For grown-ups"),
    "pin": gettext_noop("PIN"),
    "more_time": gettext_noop("15 more minutes"),
    "pin_wrong": gettext_noop("That is not the PIN."),
    "pin_offline": gettext_noop("This needs the house, and it cannot be reached now."),
    "pin_done": gettext_noop("15 more minutes."),
    "left": gettext_noop("Minutes left today"),
    "no_limit": gettext_noop("No limit today"),
    "waiting": gettext_noop("Not told to the house yet"),
    "synced": gettext_noop("The house knows everything."),
    "unmoved": gettext_noop("Forgotten words may still be in this tablet's files until they are cleared."),
    "goodnight": gettext_noop("Good night"),
    "rest_quiet": gettext_noop("I am sleeping now. We talk again at {at}."),
    "rest_minutes": gettext_noop("We talked a lot today. See you tomorrow!"),
    "new_version": gettext_noop("I have learned something new."),
    "refresh": gettext_noop("Show me"),
    "elsewhere": gettext_noop("I am open in another window."),
    "here": gettext_noop("Come here"),
    "trouble": gettext_noop("Something went wrong. Nothing is lost."),
}


def words() -> dict[str, dict[str, str]]:
    """All words by language and name."""
    found = {}
    for language in LANGUAGES:
        with translation.override(language):
            found[language] = {name: gettext(text) for name, text in WORDS.items()}
    return found
