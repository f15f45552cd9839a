"""What functions of Pillow, OpenCV, NumPy, SciPy and scikit-image do to a picture, as tables for image_operations.

The eight kinds are those of VisualToolBench (arXiv 2510.12712), whose "editing" names annotation, inpainting and
drawing; which function is of which kind is our reading.
"""

from __future__ import annotations

from collections.abc import Mapping

KINDS = ("crop", "resize", "rotate", "flip", "brightness", "contrast", "edit", "other")

_FUNCTIONS: Mapping[str, Mapping[str, str]] = {
    "PIL.Image": {"edit": "alpha_composite blend composite", "other": "eval merge"},
    "PIL.ImageOps": {
        "crop": "crop fit",
        "resize": "contain cover fit pad scale",
        "flip": "flip mirror",
        "contrast": "autocontrast equalize",
        "other": "colorize deform exif_transpose expand grayscale invert posterize solarize",
    },
    "PIL.ImageEnhance": {"brightness": "Brightness", "contrast": "Contrast", "other": "Color Sharpness"},
    "PIL.ImageDraw": {"edit": "floodfill"},
    "cv2": {
        "crop": "getRectSubPix",
        "resize": "pyrDown pyrUp resize",
        "rotate": "rotate",
        "flip": "flip",
        "contrast": "createCLAHE equalizeHist normalize",
        "edit": "arrowedLine circle drawContours drawKeypoints drawMarker drawMatches ellipse fillConvexPoly fillPoly "
        "floodFill inpaint line polylines putText rectangle seamlessClone",
        "other": "Canny GaussianBlur LUT Laplacian Scharr Sobel adaptiveThreshold applyColorMap bilateralFilter "
        "bitwise_and bitwise_not bitwise_or bitwise_xor blur boxFilter copyMakeBorder cvtColor detailEnhance dilate "
        "edgePreservingFilter erode fastNlMeansDenoising fastNlMeansDenoisingColored filter2D hconcat inRange "
        "medianBlur morphologyEx remap stylization threshold transpose vconcat warpPerspective",
    },
    "numpy": {"rotate": "rot90", "flip": "flip fliplr flipud"},
    "scipy.ndimage": {"resize": "zoom", "rotate": "rotate", "other": "gaussian_filter median_filter"},
    "skimage.transform": {
        "resize": "downscale_local_mean pyramid_expand pyramid_reduce rescale resize resize_local_mean",
        "rotate": "rotate",
        "other": "swirl warp warp_polar",
    },
    "skimage.exposure": {
        "brightness": "adjust_gamma adjust_log",
        "contrast": "adjust_sigmoid equalize_adapthist equalize_hist match_histograms rescale_intensity",
    },
    "skimage.util": {"crop": "crop", "other": "invert montage"},
    "skimage.restoration": {"edit": "inpaint_biharmonic"},
    "skimage.segmentation": {"edit": "mark_boundaries"},
    "skimage.color": {"edit": "label2rgb", "other": "gray2rgb hsv2rgb lab2rgb rgb2gray rgb2hsv rgb2lab"},
    "skimage.filters": {"other": "gaussian median prewitt scharr sobel unsharp_mask"},
    "imutils": {"resize": "resize", "rotate": "rotate rotate_bound"},
}

FUNCTIONS: Mapping[str, tuple[str, ...]] = {
    f"{module}.{name}": tuple(kind for kind, listed in kinds.items() if name in listed.split())
    for module, kinds in _FUNCTIONS.items()
    for names in kinds.values()
    for name in names.split()
}
"""Kinds of what a function does; some do two things at once."""

UNSEEN: Mapping[str, tuple[str, ...]] = {
    "cv2.add": ("brightness",),
    "cv2.addWeighted": ("other",),
    "cv2.convertScaleAbs": ("brightness", "contrast"),
    "cv2.cvtColor": ("other",),
    "cv2.divide": ("brightness",),
    "cv2.multiply": ("brightness",),
    "cv2.subtract": ("brightness",),
    "cv2.warpAffine": ("other",),
    "numpy.clip": (),
}
"""Functions whose arguments decide; the kinds to take where these cannot be seen."""

MODULES = ("PIL.ImageChops.", "PIL.ImageMorph.", "PIL.ImageOps.", "cv2.", "imutils.", "scipy.ndimage.", "skimage.")
"""Their other functions are "other" where they are given a picture."""

PLUMBING = frozenset(
    {"destroyAllWindows", "imdecode", "imencode", "imread", "imsave", "imshow", "imwrite", "namedWindow"}
    | {"img_as_bool", "img_as_float", "img_as_float32", "img_as_float64", "img_as_int", "img_as_ubyte", "img_as_uint"}
)
"""They read, write, show or recode a picture, which is no operation on it."""

RECODING = frozenset({"BGR2RGB", "BGRA2RGB", "BGRA2RGBA", "BGR2RGBA", "RGB2BGR", "RGBA2BGR", "RGBA2BGRA", "RGB2BGRA"})
"""What OpenCV's `cvtColor` may be asked for without changing how the picture looks."""

SOURCES = frozenset(
    {f"PIL.Image.{name}" for name in ("alpha_composite", "blend", "composite", "fromarray", "merge", "new", "open")}
    | {"PIL.Image.frombytes", "PIL.Image.frombuffer", "PIL.ImageGrab.grab", "cv2.imdecode", "cv2.imread"}
    | {"imageio.imread", "imageio.v2.imread", "imageio.v3.imread", "matplotlib.image.imread"}
    | {"matplotlib.pyplot.imread", "skimage.io.imread"}
)
"""They give a picture."""

METHODS: Mapping[str, tuple[str, ...]] = {
    "crop": ("crop",),
    "resize": ("resize",),
    "rotate": ("rotate",),
    "thumbnail": ("resize",),
}
"""Kinds of methods that say what they do on any receiver not known to be something else."""

PICTURE_METHODS: Mapping[str, tuple[str, ...]] = {
    **dict.fromkeys(("alpha_composite", "paste", "putalpha", "putdata", "putpixel"), ("edit",)),
    **dict.fromkeys(("convert", "effect_spread", "filter", "getchannel", "point", "quantize", "transform"), ("other",)),
    "reduce": ("resize",),
}
"""Kinds of methods whose names need a picture as receiver to say anything."""

MEASURES = frozenset(
    {
        "all",
        "any",
        "argmax",
        "argmin",
        "argwhere",
        "bincount",
        "close",
        "count_nonzero",
        "entropy",
        "getbands",
        "getbbox",
        "getcolors",
        "getdata",
        "getexif",
        "getextrema",
    }
    | {
        "getpixel",
        "histogram",
        "item",
        "max",
        "mean",
        "median",
        "min",
        "nonzero",
        "percentile",
        "save",
        "seek",
        "show",
        "std",
        "sum",
        "tell",
        "tobytes",
    }
    | {"tolist", "unique", "verify"}
)
"""Methods of a picture, and functions of NumPy, that do not give one."""

DRAWING = frozenset(
    {"arc", "bitmap", "chord", "circle", "ellipse", "line", "multiline_text", "pieslice", "point", "polygon"}
    | {"rectangle", "regular_polygon", "rounded_rectangle", "text"}
)
"""Methods of Pillow's ImageDraw that leave a mark."""

MODULE_NAMES: Mapping[str, str] = {
    **{name: f"PIL.{name}" for name in ("Image", "ImageChops", "ImageDraw", "ImageEnhance", "ImageFilter", "ImageOps")},
    **{"cv": "cv2", "cv2": "cv2", "ndimage": "scipy.ndimage", "np": "numpy", "numpy": "numpy"},
    **{"PIL": "PIL", "imutils": "imutils", "plt": "matplotlib.pyplot", "skimage": "skimage"},
}
"""Modules by the names that code without its imports uses for them."""
