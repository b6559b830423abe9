"""Numbers of a file in the units of the book: kilograms, centimetres, degrees Celsius, millilitres. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import ROUND_HALF_EVEN, Decimal, InvalidOperation

# What may be chosen for each quantity, and how many of the book's unit one of it is.
FACTORS: Mapping[str, Mapping[str, Decimal]] = {
    "weight": {
        "kg": Decimal(1),
        "lb": Decimal("0.45359237"),
        "g": Decimal("0.001"),
        "oz": Decimal("0.028349523125"),
    },
    "length": {"cm": Decimal(1), "in": Decimal("2.54")},
    "volume": {"ml": Decimal(1), "oz": Decimal("29.5735295625")},  # US fluid ounces
    "temperature": {"C": Decimal(1), "F": Decimal(5) / Decimal(9)},
}
SHOWN: Mapping[str, str] = {"C": "°C", "F": "°F"}
BOOK: Mapping[str, str] = {"weight": "kg", "length": "cm", "volume": "ml", "temperature": "C"}
QUANTITY: Mapping[str, str] = {
    "weight": "weight",
    "height": "length",
    "head": "length",
    "temperature": "temperature",
    "bmi": "",
}
PLACES: Mapping[str, str] = {"weight": "0.001", "length": "0.1", "volume": "0.1", "temperature": "0.1"}
# What no living child has, whatever the unit was meant to be: the row is kept, and the doubt is named.
LIKELY: Mapping[str, tuple[Decimal, Decimal]] = {
    "weight": (Decimal("0.3"), Decimal(200)),
    "height": (Decimal(20), Decimal(230)),
    "head": (Decimal(15), Decimal(70)),
    "temperature": (Decimal(30), Decimal(43)),
    "bmi": (Decimal(5), Decimal(70)),
}
LARGEST = Decimal(1_000_000)


class NotANumber(ValueError):
    """The text is no number, or none that can be meant."""


@dataclass(frozen=True)
class Units:
    """The units a file's numbers are in, as the person said."""

    weight: str = "kg"
    length: str = "cm"
    temperature: str = "C"
    volume: str = "ml"

    def of(self, quantity: str) -> str:
        """The unit of one quantity; none for a plain number."""
        return str(getattr(self, quantity)) if quantity else ""


def parse_number(text: str) -> Decimal:
    """A number as it was written, with a point or a comma. Raises NotANumber."""
    try:
        found = Decimal(text.strip().replace(",", "."))
    except InvalidOperation:
        raise NotANumber(text) from None
    if not found.is_finite() or not -LARGEST < found < LARGEST:
        raise NotANumber(text)
    return found


def to_book(number: Decimal, quantity: str, unit: str) -> Decimal:
    """A number in the unit of the book, rounded to what it can mean."""
    if not quantity:
        return number
    shifted = number - 32 if unit == "F" else number
    if unit == BOOK[quantity]:
        return number
    return (shifted * FACTORS[quantity][unit]).quantize(Decimal(PLACES[quantity]), ROUND_HALF_EVEN)


def is_likely(table: str, number: Decimal) -> bool:
    """Whether a child can have this value, in the unit of the book."""
    low, high = LIKELY[table]
    return low <= number <= high
