"""Some states of a head's training by their principal components: the data of its map."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from burnqed.files import UserError, atomic_path

COMPONENTS = 50  # principal components kept of each state


@dataclass(frozen=True)
class StateMap:
    """Some states by their principal components (states, at most ``COMPONENTS``), label and depth."""

    components: NDArray[np.float32]
    provable: NDArray[np.bool_]
    depth: NDArray[np.int64]

    def write(self, path: Path) -> None:
        """Write the map as Parquet, atomically."""
        width = self.components.shape[1]
        vectors = pa.FixedSizeListArray.from_arrays(pa.array(self.components.reshape(-1)), width)
        table = pa.table({"provable": self.provable, "depth": self.depth, "components": vectors})
        with atomic_path(path) as partial:
            pq.write_table(table, partial, compression="zstd")


def read_map(path: Path) -> StateMap:
    """Read a map; raise UserError when it is missing or damaged."""
    try:
        table = pq.read_table(path)
        vectors = table["components"].combine_chunks()
        components = vectors.flatten().to_numpy().reshape(len(vectors), -1)
        return StateMap(components, table["provable"].to_numpy(), table["depth"].to_numpy())
    except FileNotFoundError as error:
        raise UserError(f"{path}: no such file; train the head again (`snakemake {path.parent}`)") from error
    except (pa.ArrowException, OSError, KeyError, ValueError) as error:
        raise UserError(f"{path}: not a map of states ({error}); train the head again") from error
