"""Words, separated by blanks, and short lines that the family `text` writes."""

from __future__ import annotations

LATIN = (
    "apple river stone cloud lemon violin garden window bridge candle forest mirror paper rabbit silver summer winter "
    "copper thunder velvet walnut yellow zebra anchor basket cactus desert engine feather guitar harbour island jacket "
    "kettle ladder magnet needle orange pencil quartz ribbon saddle tiger umbrella valley whistle atlas bread chess "
    "dance eagle flame grape heart ink jazz knot leaf moon nest oak pearl quiet rain salt tea unit vine wolf axis yarn "
    "zinc sky sun sea map key ice hat fox ear dog cat bus arm open closed start stop yes no north south east west left "
    "right push pull sale free menu exit café über façade crème señor smörgås çok äpple années Zürich København"
)
GREEK = "θάλασσα ήλιος νερό φως λόγος ψυχή χρόνος κόσμος ουρανός βιβλίο δρόμος μέλι"
CYRILLIC = "вода солнце небо книга город мост хлеб лес снег река звезда окно чай музыка яблоко дом море ёлка"
LINES = (
    "the cat sat down",
    "all paths lead home",
    "rain before seven",
    "keep to the left",
    "mind the step",
    "fresh bread daily",
    "two for one",
    "please ring twice",
    "not a through road",
    "slow and steady",
    "red sky at night",
    "once upon a time",
    "made by hand",
    "open until nine",
    "paint what you see",
    "one stroke at a time",
    "small boats only",
    "wet paint",
    "last stop",
    "no entry",
    "hold the line",
    "a quiet street",
    "seven blue birds",
    "north by west",
)
