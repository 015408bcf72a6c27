"""Files of hands in, files of answers out (needs pyarrow)."""

from .answers import COLUMNS, SCORE_COLUMNS, Tally
from .formats import AnalysisError
from .journal import work_folder
from .run import Job, Progress, Summary, analyse

__all__ = [
    "COLUMNS",
    "SCORE_COLUMNS",
    "AnalysisError",
    "Job",
    "Progress",
    "Summary",
    "Tally",
    "analyse",
    "work_folder",
]
