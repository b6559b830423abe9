"""Pictures as the house keeps them: their type found in their bytes, drawn anew without place or camera."""

from __future__ import annotations

import io
import warnings
from dataclasses import dataclass

from PIL import Image, ImageOps, UnidentifiedImageError

MOST_BYTES = 10 * 1024 * 1024
MOST_PIXELS = 50_000_000
LONGEST_SIDE = 4_096
OPENED = ("JPEG", "PNG", "WEBP", "GIF")
KEPT_AS = {"JPEG": "JPEG", "MPO": "JPEG", "PNG": "PNG", "WEBP": "WEBP", "GIF": "PNG"}
ENDINGS = {"JPEG": "jpg", "PNG": "png", "WEBP": "webp"}


class NoPicture(ValueError):
    """The bytes are no whole picture of a kind the house keeps."""


@dataclass(frozen=True)
class Drawn:
    """A picture drawn anew: its bytes and what they are."""

    data: bytes
    type: str
    ending: str
    width: int
    height: int


def redraw(data: bytes) -> Drawn:
    """The picture in these bytes, upright and without anything but its pixels. Raises NoPicture."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", Image.DecompressionBombWarning)
            with Image.open(io.BytesIO(data), formats=OPENED) as found:
                if found.width * found.height > MOST_PIXELS:
                    raise NoPicture
                return _drawn(found, KEPT_AS[str(found.format)])
    except (UnidentifiedImageError, Image.DecompressionBombError, Image.DecompressionBombWarning):
        raise NoPicture from None
    except (OSError, ValueError, SyntaxError, IndexError, KeyError, EOFError, MemoryError):
        raise NoPicture from None  # Pillow says a broken file in all these ways


def _drawn(found: Image.Image, form: str) -> Drawn:
    found.load()
    picture = ImageOps.exif_transpose(found)
    picture.thumbnail((LONGEST_SIDE, LONGEST_SIDE))
    mode = "RGB" if form == "JPEG" or picture.mode in {"RGB", "L", "CMYK", "YCbCr"} else "RGBA"
    bare = Image.new(mode, picture.size)
    bare.paste(picture.convert(mode))
    out = io.BytesIO()
    bare.save(out, form, **({"quality": 88} if form != "PNG" else {}))
    return Drawn(out.getvalue(), f"image/{form.lower()}", ENDINGS[form], *bare.size)
