"""Speed, side by side and in one run; `python -m benchmarks` prints all. Timings are never part of the tests."""
