"""Which fonts, and which half each belongs to. A font never changes its half: what was tuned on stays tuned on."""

from __future__ import annotations

# fmt: off
PRINT_TUNE = [
    "amatic-sc", "annie-use-your-telescope", "balsamiq-sans", "bubblegum-sans", "caveat", "caveat-brush", "chilanka",
    "comfortaa", "comic-mono", "comic-relief", "covered-by-your-grace", "delius", "farsan", "gaegu",
    "gloria-hallelujah", "gochi-hand", "grandstander", "handlee", "happy-monkey", "indie-flower", "kalam",
    "long-cang", "mansalva", "nanum-pen-script", "neucha", "patrick-hand", "quicksand", "reenie-beanie", "rock-salt",
    "schoolbell", "shadows-into-light", "short-stack", "sniglet", "sriracha", "sue-ellen-francisco", "varela-round",
    "yusei-magic", "zen-kurenaido",
]
PRINT_TEST = [
    "architects-daughter", "comic-neue", "delicious-handrawn", "itim", "playpen-sans", "poor-story", "shantell-sans",
    "swanky-and-moo-moo", "the-girl-next-door", "yomogi",
]
CURSIVE_TUNE = [
    "bad-script", "cedarville-cursive", "courgette", "damion", "grand-hotel", "homemade-apple", "italianno",
    "kaushan-script", "marck-script", "pacifico", "parisienne", "playwrite-de-grund", "vibur", "yellowtail",
]
CURSIVE_TEST = [
    "borel", "cookie", "dancing-script", "oooh-baby", "playwrite-us-trad", "sacramento", "satisfy",
]
PLOTTER = [
    "EMSAllure", "EMSElfin", "EMSFelix", "EMSNixish", "EMSNixishItalic", "EMSOsmotron", "EMSReadability",
    "EMSReadabilityItalic", "EMSTech",
]

# fmt: on
SPARING = [f"sparing-{i}" for i in range(4)]

SETS = {
    "print/tune": PRINT_TUNE,
    "print/test": PRINT_TEST,
    "cursive/tune": CURSIVE_TUNE,
    "cursive/test": CURSIVE_TEST,
    "plotter/test": PLOTTER,
    "sparing/tune": SPARING,
}
"""Set -> fonts. The plotter fonts were used when the recogniser and `rules/1` were chosen, and for nothing since."""
