"""Taking in a picture from outside: nothing of the file survives but its pixels."""

from __future__ import annotations

import io
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageCms, ImageOps, UnidentifiedImageError

from easel_app.services.problems import Invalid, Refusal, TooLarge, Unsupported
from easel_app.sources.structure import costly

MOST_BYTES = 8 * 1024 * 1024
MOST_PIXELS = 24_000_000
LEAST_SIDE = 32
FORMATS = ("PNG", "JPEG", "WEBP")


class Crop(NamedTuple):
    """A square of a picture: its corner in fractions of width and height, its side in fractions of the shorter side."""

    left: float
    top: float
    side: float


def take_in(file: bytes, size: int, crop: Crop | None = None) -> NDArray[np.uint8]:
    """A square uint8 (size, size, 3) sRGB picture from a file of unknown origin.

    Turned upright by its EXIF orientation, colours brought to sRGB, transparency laid on white, 16 bits a channel
    reduced to 8, cropped and resampled by Lanczos.

    Raises:
        TooLarge: more bytes or pixels than we take.
        Unsupported: not a PNG, JPEG or WebP file, or one with several frames.
        Invalid: damaged, too small, or the crop leaves the picture.
    """
    if len(file) > MOST_BYTES:
        raise TooLarge("picture_too_large", "The picture has more than 8 MB; save it smaller and try again.")
    if why := costly(file):
        raise Invalid("picture_damaged", f"T{why[1:]} and try once more.")
    try:
        with Image.open(io.BytesIO(file), formats=FORMATS) as image:
            _check(image)
            picture = upright_rgb(image)
    except UnidentifiedImageError as error:
        message = "The file is no PNG, JPEG or WebP picture; save it as one of these and try again."
        raise Unsupported("picture_format", message) from error
    except Image.DecompressionBombError as error:
        raise _too_many_pixels() from error
    except Refusal:
        raise
    except Exception as error:  # a damaged file can make a decoder raise anything: IndexError, zlib.error, …
        message = "The picture is damaged and cannot be read; save it again and try once more."
        raise Invalid("picture_damaged", message) from error
    box = _box(picture.width, picture.height, crop)
    return np.array(picture.resize((size, size), Image.Resampling.LANCZOS, box))


def _check(image: Image.Image) -> None:
    """Refuse by the file's header, before its pixels are decoded."""
    if image.width * image.height > MOST_PIXELS:
        raise _too_many_pixels()
    if min(image.size) < LEAST_SIDE:
        message = f"The picture is {image.width} × {image.height}; both sides need at least {LEAST_SIDE} px."
        raise Invalid("picture_too_small", message)
    if getattr(image, "n_frames", 1) > 1 and image.format != "MPO":  # a camera's MPO begins with the picture
        raise Unsupported("picture_animated", "The picture has several frames; save one of them and try again.")


def upright_rgb(image: Image.Image) -> Image.Image:
    """The picture as it is meant to be seen: turned by its EXIF, in sRGB by its profile, on white. Raises OSError."""
    image.load()
    profile = image.info.get("icc_profile")
    picture = ImageOps.exif_transpose(image)
    if picture.mode.startswith("I"):  # 16 bits of grey: Pillow's own conversion would clip, not scale
        picture = Image.fromarray((np.asarray(picture, np.uint32) >> 8).clip(0, 255).astype(np.uint8))
        profile = None
    if picture.has_transparency_data:
        layer = picture.convert("RGBA")
        picture = Image.new("RGBA", layer.size, "white")
        picture.alpha_composite(layer)
        picture = picture.convert("RGB")
    elif picture.mode not in ("RGB", "CMYK"):
        picture, profile = picture.convert("RGB"), profile if picture.mode == "P" else None
    if profile and picture.mode in ("RGB", "CMYK"):
        try:
            source = ImageCms.ImageCmsProfile(io.BytesIO(profile))
            managed = ImageCms.profileToProfile(picture, source, ImageCms.createProfile("sRGB"), outputMode="RGB")
        except (ImageCms.PyCMSError, OSError, ValueError):
            managed = None  # a broken profile: show the numbers as they are
        picture = managed or picture
    return picture.convert("RGB")


def _box(width: int, height: int, crop: Crop | None) -> tuple[float, float, float, float]:
    shorter = min(width, height)
    if crop is None:
        left, top = (width - shorter) / 2, (height - shorter) / 2
        return left, top, left + shorter, top + shorter
    left, top, side = crop.left * width, crop.top * height, crop.side * shorter
    if side < 8 or left + side > width + 1 or top + side > height + 1:
        message = "The crop leaves the picture or is under 8 px wide; move it inside and try again."
        raise Invalid("crop_outside", message, "side")
    left, top = min(left, width - side), min(top, height - side)
    return left, top, left + side, top + side


def _too_many_pixels() -> TooLarge:
    message = f"The picture has more than {MOST_PIXELS // 1_000_000} megapixels; scale it down and try again."
    return TooLarge("picture_too_large", message)
