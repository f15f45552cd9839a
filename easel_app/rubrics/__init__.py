"""Tool-using answers to visual tasks, graded item by item: records, import, judge.

Tasks, rubrics and scores are those of VisualToolBench ("Beyond Seeing", arXiv 2510.12712).
"""
