"""From a data set to a model that paints: chats for fine-tuning, training in two stages, a server for what was trained.

Only `collator`, `model` and `train` need the packages of the extra `train`, and the commands import them when they need
them.
"""
