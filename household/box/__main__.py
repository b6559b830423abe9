"""`python -m household.box [--https]`: the same as `manage.py up`, without loading Django first."""

import os
import sys

from household.box.supervisor import main

if "--https" in sys.argv[1:]:
    os.environ["HEARTHBOOK_HTTPS"] = "yes"
sys.exit(main())
