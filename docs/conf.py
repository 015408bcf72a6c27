"""Sphinx settings; `make docs` builds the pages into docs/_build/html."""

project = "paohuzi"
author = "The paohuzi authors"
extensions = ["myst_parser"]
exclude_patterns = ["_build"]
html_theme = "furo"
html_title = "paohuzi"
myst_heading_anchors = 3
myst_enable_extensions = ["dollarmath"]
