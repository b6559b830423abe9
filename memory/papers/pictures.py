"""Pictures of paper: opened within limits, turned upright, straightened, their light made even."""

from __future__ import annotations

import io
from typing import Any

import numpy as np
from PIL import Image, ImageFilter, ImageOps, UnidentifiedImageError

from memory.papers.refusing import Refused
from memory.rules.documents.limits import MAX_PIXELS

LONGEST = 3600  # pixels of a side; more only costs time
SMALL = 1700  # below it letters are enlarged
STEEPEST = 10.0  # degrees
LOOK = 900
UNEVEN = 18.0  # spread of the light over the paper, of 255
GRAIN = 3.1  # distances from the median to the ninth decile: four standard deviations of the paper's light
NAMES = {"jpeg": "JPEG", "png": "PNG", "heic": "HEIF"}


def open_picture(content: bytes, sort: str) -> Image.Image:
    """The picture, upright as its camera noted. Raises Refused: too many pixels, before any is unpacked."""
    if sort == "heic":
        from pillow_heif import register_heif_opener

        register_heif_opener(thumbnails=False)
    Image.MAX_IMAGE_PIXELS = None  # our own limit is told below
    try:
        picture: Image.Image = Image.open(io.BytesIO(content), formats=[NAMES[sort]])
        if picture.width * picture.height > MAX_PIXELS:
            raise Refused("too_many_pixels")
        picture.draft("L", (LONGEST, LONGEST))
        picture.load()
    except (UnidentifiedImageError, OSError, SyntaxError, ValueError, EOFError):
        raise Refused("not_readable") from None
    return ImageOps.exif_transpose(picture)


def grey(picture: Image.Image) -> Image.Image:
    """The picture without colour, on white where it is transparent, of a size to read letters in."""
    if picture.mode in ("RGBA", "LA", "PA") or "transparency" in picture.info:
        layer = picture.convert("RGBA")
        picture = Image.alpha_composite(Image.new("RGBA", layer.size, "white"), layer)
    plain = picture.convert("L")
    longest = max(plain.size)
    if longest > LONGEST:
        plain.thumbnail((LONGEST, LONGEST), Image.Resampling.LANCZOS)
    elif longest < SMALL:
        factor = min(SMALL / longest, 3.0)
        plain = plain.resize(
            (round(plain.width * factor), round(plain.height * factor)), Image.Resampling.LANCZOS
        )
    return plain


def even_light(picture: Image.Image) -> Image.Image:
    """A photographed page as a scan would show it: each spot compared with the paper around it."""
    small = picture.resize((max(picture.width // 8, 1), max(picture.height // 8, 1)))
    paper = small.filter(ImageFilter.MaxFilter(9)).filter(ImageFilter.GaussianBlur(12))
    spread = float(np.asarray(paper).std())
    if spread < UNEVEN:
        return ImageOps.autocontrast(picture, cutoff=(0, 1))
    ground = np.asarray(paper.resize(picture.size, Image.Resampling.BILINEAR), dtype=np.float32)
    letters = np.asarray(picture, dtype=np.float32) / np.maximum(ground, 1.0) * 235.0
    return ImageOps.autocontrast(Image.fromarray(np.clip(letters, 0, 255).astype(np.uint8)), cutoff=(0, 1))


def without_grain(picture: Image.Image) -> Image.Image:
    """The picture with its paper plainly white: the grain of a camera makes points and strokes vanish."""
    values = np.asarray(picture, dtype=np.float32)
    paper, light = np.percentile(values, [50, 90])
    white = float(paper - GRAIN * (light - paper))
    if white >= 254.0 or white <= 128.0:
        return picture
    return Image.fromarray(np.clip(values * (255.0 / white), 0, 255).astype(np.uint8))


def straight(picture: Image.Image) -> Image.Image:
    """The picture turned by the few degrees its lines are askew."""
    angle = skew(picture)
    if abs(angle) < 0.15:
        return picture
    return picture.rotate(angle, resample=Image.Resampling.BICUBIC, expand=True, fillcolor=255)


def skew(picture: Image.Image) -> float:
    """By how many degrees to turn the picture so that its lines lie level."""
    look = picture.copy()
    look.thumbnail((LOOK, LOOK), Image.Resampling.BILINEAR)
    ink = Image.fromarray(((np.asarray(look) < _threshold(look)) * 255).astype(np.uint8))
    coarse = max(np.arange(-STEEPEST, STEEPEST + 0.5, 1.0), key=lambda angle: _levelness(ink, angle))
    fine = max(np.arange(coarse - 1.0, coarse + 1.01, 0.2), key=lambda angle: _levelness(ink, angle))
    if _levelness(ink, fine) < 1.02 * _levelness(ink, 0.0):
        return 0.0
    return float(fine)


def _threshold(look: Image.Image) -> float:
    values = np.asarray(look)
    return float(values.mean() - 0.8 * values.std())


def _levelness(ink: Image.Image, angle: float) -> float:
    """How sharply rows of ink and rows of paper part when turned by this angle."""
    turned: Any = np.asarray(ink.rotate(float(angle), resample=Image.Resampling.NEAREST), dtype=np.float64)
    rows = turned.sum(axis=1)
    return float(((rows[1:] - rows[:-1]) ** 2).sum())
