"""What leaves the studio: clips, a replay that needs no server, trajectories, data sets."""
