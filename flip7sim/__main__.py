"""Run the command line as ``python -m flip7sim``."""

import sys

from flip7sim.cli import main

sys.exit(main())
