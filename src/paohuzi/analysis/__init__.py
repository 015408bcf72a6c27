"""Files of hands in, files of answers out (needs pyarrow)."""

from .answers import COLUMNS, Tally
from .formats import AnalysisError
from .journal import work_folder
from .run import Job, Progress, Summary, analyse

__all__ = [
    "COLUMNS",
    "AnalysisError",
    "Job",
    "Progress",
    "Summary",
    "Tally",
    "analyse",
    "work_folder",
]
