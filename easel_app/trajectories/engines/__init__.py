"""Who works the shards of a data set off: processes of this machine, or many machines.

`engine_named` gives an engine by its name; all keep to the protocol `Engine` and so leave the same bytes behind.
"""

from easel_app.trajectories.engines.engine import ATTEMPTS, Engine
from easel_app.trajectories.engines.naming import ENGINES, engine_named
from easel_app.trajectories.engines.processes import Processes

__all__ = ["ATTEMPTS", "ENGINES", "Engine", "Processes", "engine_named"]
